import Glibc

/// Where it is said how far things are, so that the tables can go into a file.
struct StandardError: TextOutputStream {
    func write(_ text: String) {
        var text = text
        // What cannot be said is no reason to stop.
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
