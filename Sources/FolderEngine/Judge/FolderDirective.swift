package import AlbumModel

/// What the shell around a ``FolderJudge`` is to do.
///
/// The directives of one answer are performed one after the other. Where one is a question, its answer is handed in, and
/// what follows from that is performed, before the next one.
package enum FolderDirective: Sendable {
    // MARK: Questions to the disk

    /// Asks for the marker, then for the mounts; answered by ``FolderInput/surveyed(complaint:_:)``.
    case survey
    /// Asks which directories hold most of these files, or have none; answered by ``FolderInput/recognised(_:_:)``.
    case recognise([FolderPath: [FolderPath: FileRecord]], MountTable?)
    /// Looks at what a power cut left of a record's file, and does what ``FolderJudge/verdict(on:at:_:)-(Remains,_,_)``
    /// says, in the turn of its bytes; answered by ``FolderInput/mended(_:_:_:)``.
    case mend(FolderPath, FileRecord)
    /// Asks what stands at both names of a directory, one of which holds these files, under their former paths, if it is the
    /// directory; or of such a file. A new name is made durable first. Answered by
    /// ``FolderInput/renamingRecognised(_:former:target:)``.
    case recogniseRenaming(FolderRenaming, [FolderPath: FileRecord])
    /// Watches a directory, then lists it; answered by ``FolderInput/listed(_:_:)``.
    case list(FolderPath)
    /// Looks at entries of the directory that was listed; answered by ``FolderInput/sighted(_:)``.
    case sight([FolderPath])
    /// Asks whether all directories are watched; answered by ``FolderInput/watched(limit:)``.
    case askWatcher
    /// Asks what stands at a path; answered by ``FolderInput/looked(_:_:)``.
    case look(CandidateBook.Job)
    /// Answered by ``FolderInput/compared(_:_:)``.
    case compare(FileComparison)
    /// Asks what the file of this signature holds; answered by ``FolderInput/examined(_:_:_:)``.
    case examine(CandidateBook.Job, FileSignature)
    /// Takes the file's bytes into the blob store, durably; answered by ``FolderInput/imported(_:_:)``.
    case importFile(FileImport)
    /// Answered by ``FolderInput/checked(_:_:)``.
    case check(FolderCheck)
    /// Puts the good copy in the place of a damaged file of this record, where that is still wanted by
    /// ``FolderJudge/wantsBack(_:_:for:)``; answered by ``FolderInput/broughtBack(_:_:_:)``.
    case bringBack(FolderPath, FileRecord)

    // MARK: Questions to the agent

    /// Answered by ``FolderInput/standing(_:_:_:_:)``. Nobody else finds or places the same bytes until all that follows
    /// is performed.
    case askStanding(TakenPhoto, CandidateBook.Job)
    /// Answered by ``FolderInput/contributed(_:_:_:)`` once that is durable, else by
    /// ``FolderInput/notContributed(_:_:)``.
    case contribute(Drop, TakenPhoto, CandidateBook.Job)
    /// Asks for the albums of first-level directories; answered by ``FolderInput/identified(_:)``.
    case identify([FolderPath])
    /// Answered by ``FolderInput/evidence(older:withdrawn:goneDirectories:)``.
    case inquire(ChangeGroup.Questions)
    /// Has the agent do what these steps mean, unless ``FolderJudge/isOvertaken(_:)``; answered by
    /// ``FolderInput/settled(_:)`` once that is durable, else by ``FolderInput/overtaken``. Nobody else finds or places the
    /// bytes of ``ChangeGroup/turns(of:)`` before that.
    case settle(ChangeGroup, [Judgement.Step])

    // MARK: What is to be done

    /// Has what waits judged, by ``FolderInput/judge(newID:)``; at the end ``FolderInput/finished(_:)`` is handed in.
    case judge
    /// Why nothing can be judged now, or a person's word does not count: what asked for it fails.
    case refuse(String)
    /// Has the disk take these files, which were noted by then; answered by ``FolderInput/synchronized(noted:missed:)``.
    case synchronize([FolderPath], noted: UInt64)
    case commit([FactChange])
    case report(FolderNotice)
    /// Tells what cannot be looked at, if that changed.
    case tellGaps
    /// Takes these files out of the folder, durably, where each still holds what its record says; answered by
    /// ``FolderInput/takenAway(_:_:)``. The intents, beside which there may be other changes, **must** be durable before: a
    /// file that went without one would be a person's removal after a crash. Whoever noted them first may not have committed
    /// them yet.
    case takeAway([FolderPath: FileRecord], intents: [FactChange])
    /// Has a path looked at once more, as if the watcher had told of it.
    case lookAgain(FolderPath)
    /// Tells what waits for a person.
    case hold(HeldGroup?)
    /// Moves the file of this record to the quarantine, in the turn of its bytes, if it is still the very file that the
    /// record knows; answered by ``FolderInput/setAside(_:_:_:)``. The intent **must** be durable first.
    case setAside(FolderPath, FileRecord, intent: [FactChange])
    /// Gives an album's directory the album's name, or a photo's file the photo's, in the turn of judging, and in that those
    /// of ``FolderJudge/turnsOfRenaming(_:)``: ``FolderJudge/beginRenaming(_:_:turns:_:now:)`` says whether, and to what; its
    /// intent **must** be durable first, and then the agent be told of a directory. Answered by
    /// ``FolderInput/renamed(_:_:)``, or by ``FolderInput/notRenamed``. Nothing is replaced.
    case rename(FolderRenaming.Subject, FolderPath)
    /// Answered by ``FolderInput/finished(_:)`` with the same work.
    case finish(FolderWork)

    // MARK: Tasks that wait

    /// The task has all its turns.
    case begin(TaskNumber)
    /// Has a person wait for an answer, so long at most: then ``FolderInput/waited(_:)`` is handed in.
    case wait(TaskNumber, atMost: Duration)
    /// Whether it is known what waits for a person, if anything does.
    case answer(TaskNumber, isKnown: Bool)
}

/// Work that ``FolderJudge/next(now:)`` handed out.
package enum FolderWork: Hashable, Sendable {
    case look(CandidateBook.Job, CandidateBook.Outcome)
    case vanished
    case judging
    case scan
}
