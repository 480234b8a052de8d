import DiskIO
import Glibc
import LaptopDoctor
import OutputFormats
import PotluckAPI

/// A page that leads the person's browser to a link with a one-time code in it, for as long as this lives.
///
/// Command lines are seen by all users of a laptop, so the browser is handed the name of this file, which its owner alone
/// can read. It stands in the person's home directory, under a name without a dot in front: browsers that come as snaps
/// see neither hidden directories, as homes mostly are, nor /tmp, nor what is not theirs in `$XDG_RUNTIME_DIR`.
final class DoorPage {
    static let name = "potluck-open.html"

    private let file: TemporaryFile
    var path: String { file.path }

    /// - Parameter words: What the link says where a browser does not go on by itself; no markup.
    /// - Returns: `nil` where no page can be written, or another `potluck open` waits for its browser.
    init?(leadingTo url: String, words: String = "See the photos", console: Console) {
        do {
            let directory = try OpenDirectory(path: FilePaths.personHome(console.environment), of: .person)
            file = try TemporaryFile(in: directory, name: Self.name, mode: 0o600)
            // Whatever the umask is.
            file.setMode(0o600)
            try file.append(Array(Self.text(leadingTo: url, words: words).utf8))
        } catch {
            // The link is printed instead.
            return nil
        }
    }

    private static func text(leadingTo url: String, words: String) -> String {
        let address = HTMLMarkup(escaping: url).text
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Potluck</title>
            <p><a href="\(address)">\(words)</a></p>

            """
    }
}

/// The person's standard browser.
enum Browser {
    /// - Returns: whether one was started.
    static func open(file path: String) -> Bool {
        // Without a screen there is none to open it on, and the program would ask in the terminal.
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { AgentSocket.environment($0)?.isEmpty == false }
        guard hasScreen else { return false }
        return ChildProgram.run(["xdg-open", path]) == 0
    }
}
