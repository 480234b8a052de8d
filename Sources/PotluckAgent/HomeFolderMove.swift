import PhotoStore
public import PotluckAPI
import SharedFolder

/// The folder of a home is brought to another place, while no agent runs. Every call blocks.
public struct HomeFolderMove {
    private let entered: EnteredHome
    private var move: FolderMove

    /// Takes the home's lock, and looks at both places.
    ///
    /// - Parameters:
    ///   - home: absolute, as `folder` is.
    ///   - settled: where the settings have the folder, for a home that has not run yet.
    /// - Throws: `.tryAgain` while an agent runs in the home, `.badSetting` where the new place cannot be the folder's.
    public init(home: String, to folder: String, settled: String) throws(PotluckError) {
        try FolderPlace.check(folder, home: home, isStandard: false)
        do {
            entered = try EnteredHome(home: home, waitMilliseconds: HomeSetup.lockPatience)
            let former = try entered.journal.folder(home: home) ?? settled
            move = try FolderMove(journal: entered.journal, from: former, to: folder)
        } catch {
            throw Self.told(error)
        }
    }

    /// Brings the folder there. After it the settings are to name the new place, and then ``finish()`` is to be called.
    public mutating func run(progress: (VerifyProgress) -> Void) throws(PotluckError) {
        do throws(FolderError) {
            try move.run { step in
                progress(
                    VerifyProgress(
                        files: step.files, fileTotal: step.fileTotal, bytes: step.bytes, byteTotal: step.byteTotal))
            }
        } catch {
            throw Self.told(error)
        }
    }

    /// Notes the new place, and deletes what was copied from the former one.
    public func finish() throws(PotluckError) -> FolderMoveReport {
        defer { entered.lock.release() }
        do {
            try entered.journal.setFolder(move.new, home: entered.path)
            let remaining = try move.finish()
            return FolderMoveReport(
                folder: move.new, former: move.former, way: move.way.map(FolderMoveReport.Way.init) ?? .unused,
                remaining: remaining)
        } catch {
            throw Self.told(error)
        }
    }

    private static func told(_ error: any Error) -> PotluckError {
        switch error {
        case let error as PotluckError: error
        case let error as FolderError: PotluckError(error.code == .diskFull ? .tryAgain : .failed, error.message)
        default: PotluckError(describing: error)
        }
    }
}

/// What `potluck folder` prints once the folder is at another place.
public struct FolderMoveReport: Encodable, Hashable, Sendable {
    public enum Way: String, Encodable, Hashable, Sendable {
        /// The home has had no folder yet: the next start makes it.
        case unused
        /// A person had moved it.
        case found
        case renamed
        /// To another disk; what was copied is deleted at the former place.
        case copied

        fileprivate init(_ way: FolderMove.Way) {
            switch way {
            case .unused: self = .unused
            case .found: self = .found
            case .renamed: self = .renamed
            case .copied: self = .copied
            }
        }
    }

    public var folder: String
    public var former: String
    public var way: Way
    /// What stays at the former place, as paths below it: links and the like, and what was changed or came meanwhile;
    /// `null` where nobody could look.
    @ExplicitNull public var remaining: [String]?

    public init(folder: String, former: String, way: Way, remaining: [String]?) {
        self.folder = folder
        self.former = former
        self.way = way
        self.remaining = remaining
    }
}
