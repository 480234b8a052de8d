/// Why a program that reads metadata gave none.
public enum ToolFailure: Error, Hashable, Sendable {
    /// The path is relative, or has control characters, and cannot be named to it.
    case badPath
    /// It ended before it had answered.
    case ended
    /// It answered more than ``ExifTool/answerByteCountMax``; what comes next from it belongs to this answer still.
    case tooMuch
    /// Reading or writing failed, with this `errno`.
    case system(Int32)
}
