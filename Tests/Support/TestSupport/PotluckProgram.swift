import Glibc

/// The program that whole agents are started from.
public enum PotluckProgram {
    /// The one that the environment names as `POTLUCK_BINARY`, else what was built last for a release or for debugging;
    /// `nil` where nothing was built.
    public static let path: String? = {
        if let named = getenv("POTLUCK_BINARY") { return String(cString: named) }
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return ["release", "debug"].map { "/\(root)/.build/\($0)/potluck" }.first { access($0, X_OK) == 0 }
    }()
}
