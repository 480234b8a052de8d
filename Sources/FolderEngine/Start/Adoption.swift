package import AlbumModel

/// How far files of an earlier time are taken in, of which the journal does not know what became of their photos.
///
/// `held` → `reading` when the agent says that it knows the gathering's photos → `over` when every file that was there
/// has been looked at once. What was found then is adopted or, where nobody has it, added.
package enum Adoption: Hashable, Sendable {
    case over
    case held
    /// Nothing is placed meanwhile: a photo that has a file under another name would get a second one.
    case reading(isScanned: Bool)

    /// Present until adoption is over, so that a restart begins it anew.
    package static let fact = FactKind(rawValue: "folder.adopt")

    /// The agent knows the gathering's photos. Answers whether reading begins by it.
    package mutating func begin() -> Bool {
        guard self == .held else { return false }
        self = .reading(isScanned: false)
        return true
    }

    /// A scan has found everything that was there.
    package mutating func scanned() {
        if self == .reading(isScanned: false) { self = .reading(isScanned: true) }
    }

    /// Answers whether it is over by this.
    ///
    /// - Parameter isLookedThrough: every path that was found has been looked at.
    package mutating func finish(isLookedThrough: Bool) -> Bool {
        guard self == .reading(isScanned: true), isLookedThrough else { return false }
        self = .over
        return true
    }

    /// Why nothing is imported; `nil` if it is.
    package func importComplaint(root: String) -> String? {
        guard self == .held else { return nil }
        return "\(root) holds files from before this home's present journal. They are taken in once another laptop of "
            + "the gathering was reached, so that photos which were removed stay removed; while there is none, in a few "
            + "minutes."
    }

    /// Why nothing is placed.
    package func placingComplaint(root: String) -> String? {
        if case .reading = self { return "The files in \(root) are being looked through first." }
        return importComplaint(root: root)
    }
}
