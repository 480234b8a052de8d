import AlbumModel
import PhotoStore
import Synchronization

/// How far files of an earlier time are taken in, of which the journal does not know what became of their photos.
///
/// `held` → `reading` when the agent says that it knows the gathering's photos → `over` when every file that was there
/// has been looked at once. What was found then is adopted or, where nobody has it, added.
enum Adoption: Hashable, Sendable {
    case over
    case held
    /// Nothing is placed meanwhile: a photo that has a file under another name would get a second one.
    case reading(isScanned: Bool)

    /// Present until adoption is over, so that a restart begins it anew.
    static let fact = FactKind(rawValue: "folder.adopt")

    /// Why nothing is imported; `nil` if it is.
    func importComplaint(root: String) -> String? {
        guard self == .held else { return nil }
        return "\(root) holds files from before this home's present journal. They are taken in once another laptop of "
            + "the gathering was reached, so that photos which were removed stay removed; while there is none, in a few "
            + "minutes."
    }

    /// Why nothing is placed.
    func placingComplaint(root: String) -> String? {
        if case .reading = self { return "The files in \(root) are being looked through first." }
        return importComplaint(root: root)
    }
}

extension FolderCore {
    /// What differs from folder state then is no person's doing: the state is older than the folder, or newer.
    var isAdopting: Bool { adoption.withLock { $0 != .over } }

    /// The agent knows the gathering's photos: reading may begin.
    func beginAdoption() {
        let isHeld = adoption.withLock { adoption in
            guard adoption == .held else { return false }
            adoption = .reading(isScanned: false)
            return true
        }
        if isHeld { queue.rescan() }
    }

    /// A scan has found everything that was there.
    func adoptionScanned() {
        adoption.withLock { if $0 == .reading(isScanned: false) { $0 = .reading(isScanned: true) } }
    }

    /// After each piece of work.
    func endAdoptionIfDone() async {
        let isDone = adoption.withLock { adoption in
            guard adoption == .reading(isScanned: true), queue.isLookedThrough else { return false }
            adoption = .over
            return true
        }
        if isDone { await commit([FactChange(kind: Adoption.fact, key: [], value: nil)]) }
    }
}
