/// A mistake that waits behind a switch in a line of the engine or the fold, which the simulator must notice, or in one of
/// the roll, the store or the folder (``ofRoll``, ``ofStore``, ``ofFolderEngine``, ``ofFolder``), whose tests must.
///
/// The switch exists in builds with `PLANTED_FAULTS` alone: those of tests, and the one that `Scripts/simulate --mutants`
/// makes. In all others ``isPlanted(_:)`` is false when the code is compiled.
public enum PlantedFault: String, CaseIterable, Sendable {
    // MARK: Copies and presence

    /// Counts this device among the others that hold a photo: a sole copy seems safe.
    case countsItselfAsCopy = "counts-itself-as-copy"
    /// Trusts what a device said however long ago that was: a laptop that is gone for months counts as a copy.
    case oldWordsCount = "old-words-count"
    /// Counts a device that another one goes on from, which may be the same laptop: one copy counts twice.
    case retiredDeviceCounts = "retired-device-counts"
    /// Takes a greeting for a word about photos: claims of last month count again before the device has spoken.
    case greetingCountsAsWord = "greeting-counts-as-word"
    /// Keeps losses to itself: others count a copy that is gone.
    case ownLossesUnannounced = "own-losses-unannounced"
    /// Announces a blob before its file has its name: others count a copy that a crash may take.
    case blobAnnouncedBeforeCommit = "blob-announced-before-commit"
    /// Reads a run of presence on every branch: a holder of another branch's photo counts for this one.
    case runsIgnoreBranches = "runs-ignore-branches"
    /// Lets a run of presence go on over withdrawn adds that are not held: a wrong keeper of removed photos is named.
    case runsBridgeWithdrawnAdds = "runs-bridge-withdrawn-adds"
    /// Gives each part of a long change of presence the last counter: after a cut the rest is never told.
    case lastCounterInEachPart = "last-counter-in-each-part"
    /// Compares the number of a summary with the time of receipt: with a clock behind, a signed loss is ignored.
    case summariesComparedByReceipt = "summaries-compared-by-receipt"
    /// Uses numbers of summaries that are not on the disk: after a restart with a clock behind, a loss is ignored.
    case summaryNumbersUnwritten = "summary-numbers-unwritten"
    /// Remembers a loss only with the next round: after a crash a copy counts that its device said to be lost.
    case lossesRememberedLate = "losses-remembered-late"
    /// Keeps a denial although the device sent the photo: copies that are there do not count.
    case denialNeverRetracted = "denial-never-retracted"
    /// Never asks again who once denied a photo: a passing error keeps it away.
    case notHereForEver = "not-here-for-ever"
    /// Leaves losses out when a change of presence is decoded: a copy counts that is gone.
    case lossesDroppedInDecoding = "losses-dropped-in-decoding"
    /// Numbers signed addresses by the clock alone: after it was set back nobody takes the new ones.
    case addressNumbersNotIncreasing = "address-numbers-not-increasing"
    /// Leaves a lost photo in the runs of what is held: whoever connects later counts a copy that is gone.
    case lossLeftInRuns = "loss-left-in-runs"
    /// Tells a peer that comes back nothing of what changed meanwhile: copies that are there do not count.
    case changesMeanwhileUntold = "changes-meanwhile-untold"
    /// Keeps losses out of what is remembered over restarts: a copy counts that its device said to be lost.
    case lossesForgottenOverRestart = "losses-forgotten-over-restart"
    /// Takes devices for present that have left: what they said counts for ever.
    case leftDeviceStaysPresent = "left-device-stays-present"
    /// Passes no summaries on: devices that are away from each other never learn of losses.
    case summariesNotPassedOn = "summaries-not-passed-on"

    // MARK: Spreading what is known

    /// Never fetches batches that were announced over a lazy link: news waits for the next comparison.
    case announcedNeverFetched = "announced-never-fetched"
    /// Compares vectors at the greeting only: what was lost on the way is never found.
    case neverComparesAgain = "never-compares-again"
    /// Prunes the only eager link: news no longer comes by itself.
    case lastEagerLinkPruned = "last-eager-link-pruned"
    /// Ignores that a peer asks for an eager link: it is told of news and never sent any.
    case graftIgnored = "graft-ignored"
    /// Sends one sample of a forked chain for each connection: what is learned later stays apart.
    case chainsSampledOnce = "chains-sampled-once"
    /// Never samples chains that went apart: the branches of a fork do not come together.
    case forksNeverSampled = "forks-never-sampled"
    /// Tells a vector as a difference without the replicas that are not known here: the peer never sends them.
    case unknownReplicasNotTold = "unknown-replicas-not-told"
    /// Keeps the old link of a peer whose agent was started again: it talks to a dead one.
    case otherRunKeepsOldLink = "other-run-keeps-old-link"
    /// Pushes over links that were pruned: everything comes several times.
    case pruneIgnored = "prune-ignored"
    /// Takes no other link into the tree where one broke: news only comes where it is asked for.
    case brokenTreeNotMended = "broken-tree-not-mended"
    /// Keeps a link over which nothing comes any more.
    case silentLinkKept = "silent-link-kept"
    /// Sends no further page when one was acknowledged: long news ends with the first window.
    case windowNeverRefilled = "window-never-refilled"
    /// Never dials again after a dial failed.
    case dialNeverRetried = "dial-never-retried"

    // MARK: Storing

    /// Acknowledges a page when it arrives: what the disk then refuses is never sent again.
    case acknowledgedBeforeDurable = "acknowledged-before-durable"
    /// Sends batches before they are durable: others know what their author may forget.
    case sentBeforeDurable = "sent-before-durable"
    /// Leaves the last batch out of the transaction and counts it as durable: it is gone after a restart.
    case lastBatchNotStored = "last-batch-not-stored"
    /// Forgets what a failed transaction was made of: what a person did is lost on a full disk.
    case failedStoreForgotten = "failed-store-forgotten"
    /// Forgets contributions that do not fit into a batch, instead of keeping them for the next.
    case restOfFullBatchForgotten = "rest-of-full-batch-forgotten"
    /// Takes a batch that comes again as a new one: its replica seems forked, and changes count twice.
    case batchTakenTwice = "batch-taken-twice"
    /// Continues its replica although others know more of it: numbers are used twice.
    case forkedReplicaContinued = "forked-replica-continued"
    /// Accepts batches whatever signs them: anybody speaks for everybody.
    case signatureUnchecked = "signature-unchecked"
    /// Begins with a clock that does not know its own last reading: a later word counts as an earlier one.
    case ownClockNotResumed = "own-clock-not-resumed"
    /// Follows readings however far ahead they are: one wrong clock spoils everybody's.
    case clockFollowsFarAhead = "clock-follows-far-ahead"
    /// Leaves batches that begin with a removal out of the fold at start: removed photos come back.
    case removalsForgottenAtStart = "removals-forgotten-at-start"
    /// Never tries a transaction again that the disk refused.
    case storeNeverRetried = "store-never-retried"
    /// Follows nobody's clock: a later word counts as an earlier one.
    case othersClocksIgnored = "others-clocks-ignored"

    // MARK: Pulling

    /// Never retries what a full disk refused: the photo stays away when there is room.
    case fullDiskNeverRetried = "full-disk-never-retried"
    /// Tries no other claim when one turns out wrong: a liar's description keeps a photo away.
    case otherClaimNeverTried = "other-claim-never-tried"
    /// Takes a blob although its whole has another hash: wrong bytes count as a photo.
    case unverifiedWholeTaken = "unverified-whole-taken"
    /// Counts a piece with a wrong hash as there: the blob never becomes right.
    case wrongPieceTaken = "wrong-piece-taken"
    /// Takes a piece list that nobody signed: right pieces seem wrong, and their senders liars.
    case pieceListUnchecked = "piece-list-unchecked"
    /// Waits for pieces that a closed link was to bring: the blob stays unfinished.
    case requestsOfClosedLinkKept = "requests-of-closed-link-kept"
    /// Waits for a silent peer for ever, instead of asking another one.
    case silentRequestsKept = "silent-requests-kept"
    /// Does not pull again what was lost here: a copy fewer, for ever.
    case lostBlobNotWanted = "lost-blob-not-wanted"
    /// Does not pull thumbnails that facts name: lists show no pictures.
    case thumbnailsNotWanted = "thumbnails-not-wanted"
    /// Pulls hidden photos like others.
    case hiddenStillWanted = "hidden-still-wanted"
    /// Does not pull photos that are shown again.
    case unhiddenNotWanted = "unhidden-not-wanted"
    /// Does not pull what a new policy asks for.
    case policyChangeWantsNothing = "policy-change-wants-nothing"
    /// Leaves held up what new terms allow: after a pause or a full disk photos stay away.
    case pauseNeverEnds = "pause-never-ends"
    /// Never lets older photos go on that yielded to a newer one.
    case yieldNeverEnds = "yield-never-ends"
    /// Never answers requests for pieces that were promised and do not come.
    case promiseNeverAnswered = "promise-never-answered"
    /// Does not follow the news of who holds what: photos that came elsewhere are not asked for there.
    case holderNewsIgnored = "holder-news-ignored"
    /// Asks at once again who sent wrong pieces: a liar keeps it busy for ever.
    case liarAskedAgain = "liar-asked-again"
    /// Keeps the place of a refused request: piece after piece is waited for that nobody sends.
    case refusedRequestKept = "refused-request-kept"

    // MARK: What people say

    /// Names the gathering without replacing earlier names: each rename becomes a conflict.
    case gatheringNameReplacesNothing = "gathering-name-replaces-nothing"
    /// Chooses a cover without replacing the earlier one.
    case coverReplacesNothing = "cover-replaces-nothing"
    /// Withdraws everybody's adds where a person takes their own back: photos leave that others gave.
    case withdrawalTakesEverybodysAdds = "withdrawal-takes-everybodys-adds"
    /// Takes everybody's favour back where one person does.
    case favourTakenFromEverybody = "favour-taken-from-everybody"

    // MARK: The fold

    /// Ignores that a device goes on from another one: a person's own photos become a stranger's.
    case successionIgnored = "succession-ignored"
    /// Removes adds that the removal's author did not know: a photo that somebody just added is gone.
    case removalTakesUnseenAdds = "removal-takes-unseen-adds"
    /// Shows the earliest of concurrent names instead of the latest.
    case registerShowsEarliest = "register-shows-earliest"
    /// Withdraws all tags of a photo where one is taken away.
    case tagWithdrawalTakesAll = "tag-withdrawal-takes-all"
    /// Replaces captions that the author did not know: of two written at once one is lost.
    case captionConflictDropped = "caption-conflict-dropped"
    /// Orders adds by their arrival: albums differ between laptops.
    case addsInOrderOfArrival = "adds-in-order-of-arrival"
    /// Shows the device name that came last, however old it is.
    case deviceNameByArrival = "device-name-by-arrival"
    /// Shows what the worse reader found.
    case factsOfWorseReader = "facts-of-worse-reader"
    /// Keeps the earliest departure of a photo instead of the last: the wrong person is named.
    case departureKeepsEarliest = "departure-keeps-earliest"
    /// Forgets withdrawals that come before their adds: removed photos come back on some laptops.
    case earlyWithdrawalForgotten = "early-withdrawal-forgotten"
    /// Takes references inside of one batch for some of no branch: what a batch withdraws of its own stays.
    case ownReferencesUnresolved = "own-references-unresolved"

    // MARK: The roll

    /// Lets a host put out who is host for longer: of two hosts each puts out the other.
    case juniorOutranksSenior = "junior-outranks-senior"
    /// Counts rulings of who is out that were not followed by what put them out: they bring themselves back.
    case backdatedRulingCounts = "backdated-ruling-counts"
    /// Puts out only whom the epoch in force names: whom the other of two names stays.
    case onlyWinnerRemoves = "only-winner-removes"
    /// Leaves an epoch open beside a concurrent one: whom only the other one put out comes back under a new key.
    case concurrentEpochOpen = "concurrent-epoch-open"
    /// Takes the listing of any epoch for that of all: a laggard host lists a key that another epoch was to keep out.
    case anyListingCounts = "any-listing-counts"
    /// Takes a right proof of any epoch: whoever was put out comes back under a key that it made.
    case oldProofTaken = "old-proof-taken"
    /// Links whoever was admitted just before a ruling came that makes it no member: it stays until the next start.
    case overtakenProofTaken = "overtaken-proof-taken"
    /// Hands the seeds to whoever catches up: a key that somebody made who was put out has the new phrase.
    case mintedKeyHandedSecret = "minted-key-handed-secret"
    /// Takes any seed for an epoch's: a liar's phrase counts for the hosts'.
    case commitmentUnchecked = "commitment-unchecked"
    /// Drops members that the epoch in force does not list: whom its author did not meet is a stranger.
    case omittedMemberDropped = "omitted-member-dropped"
    /// Lets nobody in again.
    case letInLiftsNothing = "let-in-lifts-nothing"

    /// Counts all that was signed by a laptop that is out, as far as laggards bring it along.
    case cutIgnored = "cut-ignored"
    /// Counts whatever has no greater number than a cut's end: a branch counts, too, that somebody signs once it is out.
    case cutBySequenceAlone = "cut-by-sequence-alone"
    /// Judges whoever catches up by what was known before: it tells of its own end, and is handed the seeds.
    case seedBeforeMerge = "seed-before-merge"
    /// Counts the copies of a laptop that is out: a photo seems safe that is on it alone.
    case outCopyCounts = "out-copy-counts"

    // MARK: The simulated store

    /// Checks no hash of pieces or wholes in the simulator's disk, which stands for the store: wrong bytes are served.
    case storeChecksNothing = "store-checks-nothing"
    /// Says that batches are durable before they are.
    case storedSaidBeforeDurable = "stored-said-before-durable"
    /// Gives a blob its name before its bytes are synced: a crash leaves wrong bytes under it.
    case renamedBeforeSynced = "renamed-before-synced"
    /// Keeps a part of a transaction that failed.
    case failedStoreHalfDone = "failed-store-half-done"
    /// Forgets which replica the home continues.
    case ownReplicaNotKept = "own-replica-not-kept"
    /// Writes what others hold only when the agent is stopped.
    case holdingsKeptAtStopsOnly = "holdings-kept-at-stops-only"
    /// Forgets over a restart what a person hid.
    case hiddenNotKept = "hidden-not-kept"

    // MARK: The store

    /// Never compares a received whole with its name: wrong bytes become a photo.
    case wholeNeverHashed = "whole-never-hashed"
    /// Never compares a received piece with its list: one wrong piece costs the whole photo.
    case pieceNeverHashed = "piece-never-hashed"
    /// Places a photo over what stands there: a person's file is gone.
    case placingReplaces = "placing-replaces"
    /// Deletes bytes that are about to join an album: the photo has none.
    case freshBytesDeleted = "fresh-bytes-deleted"
    /// Removes a damaged file instead of setting it aside: what is left of a photo is gone.
    case damagedFileRemoved = "damaged-file-removed"
    /// Places a link where a file of their own was promised: a person's edit changes the store's only copy.
    case linkedUnasked = "linked-unasked"
    /// Serves a file that changed since it was seen: an edit goes out as the photo that it was.
    case editedFileServed = "edited-file-served"
    /// Takes in a file that changed while it was read: half of an old and half of a new photo.
    case changingFileTaken = "changing-file-taken"
    /// Drops bytes that come in because a file of them was there once: the last copy is gone.
    case deletedFileCounts = "deleted-file-counts"
    /// The same because a file of their name is there, which somebody changed through another name.
    case changedFileCounts = "changed-file-counts"
    /// Takes a person's file for the photo that it was taken in as: the store's bytes are gone.
    case sharedUnread = "shared-unread"
    /// Takes a disk that is away for an empty one: its photos count as lost.
    case absentDiskIsEmpty = "absent-disk-is-empty"
    /// Removes parts of wanted photos at a start: each begins again.
    case wantedPartsSwept = "wanted-parts-swept"

    // MARK: The folder

    /// Holds nothing back: an accident in one folder empties the albums of all.
    case brakeMissing = "brake-missing"
    /// Takes a directory that cannot be listed for an empty one: its photos count as deleted.
    case failedListingIsEmpty = "failed-listing-is-empty"
    /// Ignores the marker: the bare directory of a disk that is away is an emptied folder.
    case markerIgnored = "marker-ignored"
    /// Ignores that a card is not mounted: photos are placed below it.
    case missingMountIgnored = "missing-mount-ignored"
    /// Adds a photo for each of its copies.
    case copiesAddedAgain = "copies-added-again"
    /// Takes the vanishing of a file of a removed photo for a person's deletion.
    case ownRemovalsTold = "own-removals-told"
    /// Takes a file that is being placed for one that a person dropped.
    case ownPlacingsNoticed = "own-placings-noticed"
    /// Places a photo again that a person deleted.
    case deletedPlacedAgain = "deleted-placed-again"
    /// Sees a file that went to another album as a deletion: its caption is lost.
    case movesAreRemovals = "moves-are-removals"
    /// Takes a file away although a person changed it.
    case editedFileTakenAway = "edited-file-taken-away"
    /// Removes the file that a person put where a crash interrupted a placing.
    case recoveryRemovesOthersFile = "recovery-removes-others-file"
    /// Takes a file that a power cut took for one that a person deleted.
    case powerCutIsDeletion = "power-cut-is-deletion"
    /// Takes the events of a directory that this program renamed for a person's doing: damage is shared as an edit.
    case ownRenamingsNoticed = "own-renamings-noticed"
    /// Gives files that people put there, or named, the names of their photos: theirs are gone.
    case ownFilesRenamed = "own-files-renamed"
    /// Takes a file that is shorter than its format says at the first look: half a photo is shared.
    case shortFileTaken = "short-file-taken"
    /// Takes a file that somebody still writes.
    case openFileTaken = "open-file-taken"
}

extension PlantedFault {
    /// Those of `PhotoStore`, which `StoreFaultTests` plants.
    public static let ofStore: [PlantedFault] = [
        .wholeNeverHashed, .pieceNeverHashed, .placingReplaces, .freshBytesDeleted, .damagedFileRemoved, .linkedUnasked,
        .editedFileServed, .changingFileTaken, .deletedFileCounts, .changedFileCounts, .sharedUnread,
        .absentDiskIsEmpty, .wantedPartsSwept,
    ]

    /// Those of ``Roll``, which `RollFaultTests` plants.
    public static let ofRoll: [PlantedFault] = [
        .juniorOutranksSenior, .backdatedRulingCounts, .onlyWinnerRemoves, .concurrentEpochOpen, .anyListingCounts,
        .omittedMemberDropped, .letInLiftsNothing,
    ]

    /// Those of `FolderEngine`, which `FolderEngineFaultTests` plants.
    public static let ofFolderEngine: [PlantedFault] = [
        .brakeMissing, .failedListingIsEmpty, .copiesAddedAgain, .ownRemovalsTold, .ownPlacingsNoticed,
        .deletedPlacedAgain, .movesAreRemovals, .powerCutIsDeletion, .ownRenamingsNoticed, .ownFilesRenamed,
        .shortFileTaken, .openFileTaken,
    ]

    /// Those of `SharedFolder`, which `FolderFaultTests` plants.
    public static let ofFolder: [PlantedFault] = [
        .markerIgnored, .missingMountIgnored, .editedFileTakenAway, .recoveryRemovesOthersFile,
    ]

    /// Those that a simulation can run into: it has neither the store nor the folder.
    public static let simulated = allCases.filter {
        ![ofRoll, ofStore, ofFolderEngine, ofFolder].joined().contains($0)
    }
}

extension PlantedFault {
    #if PLANTED_FAULTS
    /// The fault that is switched on for the present task or, outside of tasks, for the present thread.
    @TaskLocal private static var active: PlantedFault?

    @usableFromInline static func isActive(_ fault: PlantedFault) -> Bool { active == fault }
    #endif

    /// Whether faults can be switched on in this build.
    public static var isAvailable: Bool {
        #if PLANTED_FAULTS
        return true
        #else
        return false
        #endif
    }

    /// Whether a fault is switched on; constant false in builds without faults.
    @inlinable
    public static func isPlanted(_ fault: PlantedFault) -> Bool {
        #if PLANTED_FAULTS
        return isActive(fault)
        #else
        return false
        #endif
    }

    /// Runs `body` with a fault switched on, for the present thread or task alone; with none for `nil`, and in builds
    /// without faults.
    public static func with<Result, Failure: Error>(
        _ fault: PlantedFault?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if PLANTED_FAULTS
        // Its own closure throws untyped errors.
        let outcome = $active.withValue(fault) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
        #else
        return try body()
        #endif
    }

    /// The same for a body that waits: its child tasks have the fault as well.
    public static func during<Result>(
        _ fault: PlantedFault, _ body: () async throws -> Result
    ) async rethrows -> Result {
        #if PLANTED_FAULTS
        return try await $active.withValue(fault) { try await body() }
        #else
        return try await body()
        #endif
    }

    /// What another thread is to run with the fault that is switched on here.
    public static func carried<Result>(
        _ body: @escaping @Sendable () throws -> Result
    ) -> @Sendable () throws -> Result {
        #if PLANTED_FAULTS
        let fault = active
        return { try $active.withValue(fault) { try body() } }
        #else
        return body
        #endif
    }
}
