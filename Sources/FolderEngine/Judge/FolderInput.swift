package import AlbumModel

/// What a ``FolderJudge`` is told.
///
/// An answer says nothing where its question is not open any more: it came before, or the look, scan or judgement that asked
/// has ended. What became of a file says something of the record only that it names. Ends of work **must** be handed in, once
/// for each.
package enum FolderInput: Sendable {
    /// What the watcher saw.
    case noticed([FolderEvent])

    // MARK: Answers of the disk

    /// What is wrong with the marker, if anything is, and the mounts in the folder; `nil` where nobody can tell them.
    case surveyed(complaint: String?, MountTable?)
    /// The directories of ``FolderDirective/recognise(_:_:)`` that hold most files as they are known there, or have none.
    case recognised(Set<FolderPath>, MountTable?)
    case mended(FolderPath, FileRecord, Mending)
    case listed(FolderPath, FolderWalk.Listing)
    case sighted([FolderPath: EntrySight])
    /// Why some directories are not watched; `nil` while all are.
    case watched(limit: String?)
    /// The scan could not go on: the agent ends.
    case scanInterrupted
    case looked(CandidateBook.Job, Result<FileLook, LookError>)
    case compared(FileComparison, Result<FileComparison.Answer, LookError>)
    case examined(CandidateBook.Job, FileSignature, Result<FileExamination, LookError>)
    case imported(FileImport, Result<IngestedBlob, LookError>)
    /// `nil`: nobody could ask.
    case checked(FolderCheck, FolderCheck.Answer?)
    case broughtBack(FolderPath, FileRecord, BringingBack)

    /// Which files the disk could not take, because theirs is away; `nil` if it took none.
    case synchronized(noted: UInt64, missed: Set<FolderPath>?)

    /// What stands at both names of a directory or file that an earlier run was about to rename.
    case renamingRecognised(FolderRenaming, former: NameSight, target: NameSight)

    // MARK: Answers of the agent

    /// Where the photo stands in the album of its directory, which may not be there.
    case standing(TakenPhoto, CandidateBook.Job, PhotoStanding, AlbumID?)
    case contributed(TakenPhoto, CandidateBook.Job, AlbumID)
    /// Why not, as a sentence.
    case notContributed(CandidateBook.Job, String)
    /// Of the directories those that have an album.
    case identified([FolderPath: AlbumID])
    /// Of the questions' standings those that hold what was removed or replaced earlier; of the renamed ones those whose
    /// photo is not shown in its album any more; of their directories those that are not certainly there.
    case evidence(older: Set<FolderPath>, withdrawn: Set<FolderPath>, goneDirectories: Set<FolderPath>)
    /// The agent's part of a judgement begins, which is ``FolderDirective/settle(_:_:)``. What follows **must** be durable
    /// before that.
    case settling
    /// The agent's part of a judgement is durable; the albums of the directories that photos moved to.
    case settled([FolderPath: AlbumID])

    // MARK: Beginnings and ends

    /// What waits is to be judged. `newID` names the group if one has to wait, and is random, below 2³².
    case judge(newID: UInt64)
    /// What ``FolderDirective/settle(_:_:)`` asks for was not done: ``FolderJudge/isOvertaken(_:)``.
    case overtaken
    /// A judgement failed: it is tried again.
    case notJudged
    case finished(FolderWork)
    /// A person says that what waits for them was meant, as they saw it in this ``HeldGroup/version``; `nil` where they saw
    /// that nothing waits. To be judged next.
    case confirmed(version: UInt64?)
    /// A person says that what waits was not meant, and a file of it was put back, or is not wanted back any more; one of
    /// ``FolderJudge/undoing()``.
    case undone(FolderPath, FileRecord, BringingBack)
    /// All of these were tried.
    case undoingEnded
    /// A person gives up the disks that are away; the mounts in the folder, `nil` where nobody can tell them.
    case disksGivenUp(MountTable?)
    /// The agent knows the gathering's photos.
    case adopt
    /// The names of albums from now on, as far as they may be news.
    case named([AlbumID: AlbumNames])
    /// The same of photos.
    case photosNamed([PhotoKey: PhotoName])

    // MARK: What this program does to files

    /// Reservations by ``Placing/next(_:)`` end; what follows from all is one commit.
    case placed([Placing.End])
    /// One by ``FolderJudge/reserveAgain(_:_:)`` ends, of this record's file; `nil` where it could not be put back.
    case putBack(FolderPath, FileRecord, FileSignature?)
    /// Photos are not to be seen here any more: their album lost them, or they are hidden.
    case unwanted([PhotoKey])
    /// Photos that a person deleted, or that were to go, may be here again.
    case letBack([PhotoKey])
    /// The folder runs: what an earlier run was to do is done now.
    case started
    /// Files of ``FolderDirective/takeAway(_:intents:)``, and those of them of which it is known what became of them. Of each
    /// the end **must** be handed in.
    case takenAway([FolderPath: FileRecord], [FolderPath: TakingAway])
    /// The disk has lost bytes of a photo, in the file of this inode, which may be a file of the folder as well.
    case damaged(BlobID, inode: UInt64)
    case setAside(FolderPath, FileRecord, SettingAside)
    /// This record's file got another name, which is the blob store's, or lost it: the disk calls it changed.
    case relinked(FolderPath, FileRecord, FileSignature)
    /// What became of a renaming by
    /// ``FolderJudge/beginRenaming(_:_:turns:_:now:)``.
    case renamed(FolderRenaming, FolderRenaming.Outcome)
    /// The one that was handed out did not begin.
    case notRenamed

    // MARK: Tasks that wait

    /// A task of the shell wants these turns; answered by ``FolderDirective/begin(_:)`` once it has them.
    case turnsWanted(TaskNumber, Set<Turn>)
    /// It is done with them, or does not wait any more.
    case turnsOver(TaskNumber)
    /// A person asks what waits for them; answered by ``FolderDirective/answer(_:isKnown:)``, of which the first counts.
    case asked(TaskNumber)
    /// The time is over that a person waits, or they do not wait any more.
    case waited(TaskNumber)
    /// The agent ends.
    case stopped

    /// What became of ``FolderDirective/setAside(_:_:intent:)``.
    package enum SettingAside: Hashable, Sendable {
        case moved
        /// It is a person's edit, or cannot be moved; or the intent is not durable, as far as anybody knows.
        case stayed
        /// It may have been moved.
        case unknown
    }

    /// What became of a file that was to be taken away.
    package enum TakingAway: Hashable, Sendable {
        case gone
        /// It holds something else, or somebody writes to it.
        case left
        /// Its photo is wanted again, and the file is there.
        case stays
    }

    /// What a look at a directory's entry showed.
    package enum EntrySight: Hashable, Sendable {
        case present(FileSignature)
        case absent
        /// An errno.
        case failed(Int32)
        /// This program's own, and none of the folder's files.
        case own
    }

    /// What became of ``FolderDirective/mend(_:_:)``.
    package enum Mending: Hashable, Sendable {
        /// The file is as it is to be.
        case done
        /// There is none, and none is to be.
        case gone
        /// Nobody can tell what it is.
        case unknown
        /// It could not be put back, because the folder or its disk is not there.
        case unavailable
        case failed
    }

    /// What became of ``FolderDirective/bringBack(_:_:)``.
    package enum BringingBack: Hashable, Sendable {
        case done
        /// It was not wanted any more: its photo left the album meanwhile, say.
        case unwanted
        /// Nobody knows what is there: its disk went away.
        case unavailable
        case failed
    }
}
