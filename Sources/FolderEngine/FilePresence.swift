/// Whether a file is there under exactly its name.
package enum FilePresence: Hashable, Sendable {
    case present
    /// There is no file of this name; a directory is none.
    case absent
    /// Nobody can tell: nothing follows from it.
    case unknown
}
