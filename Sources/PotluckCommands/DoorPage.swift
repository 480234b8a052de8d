import DiskIO
import Glibc
import LaptopDoctor
import OutputFormats
import PotluckAPI
import WebGallery

/// A page that leads the person's browser to a link with a one-time code in it, for as long as this lives.
///
/// Command lines are seen by all users of a laptop, so the browser is handed the name of this file, which its owner alone
/// can read. It stands in the person's home directory, under a name without a dot in front: browsers that come as snaps
/// see neither hidden directories, as homes mostly are, nor /tmp, nor what is not theirs in `$XDG_RUNTIME_DIR`.
final class DoorPage {
    static let name = "potluck-open.html"

    private let file: TemporaryFile
    var path: String { file.path }

    /// - Parameter words: What the link says where a browser does not go on by itself.
    /// - Returns: `nil` where no page can be written, or another `potluck open` waits for its browser.
    init?(leadingTo url: String, words: String = "See the photos", console: Console) {
        do {
            let directory = try OpenDirectory(path: FilePaths.personHome(console.environment), of: .person)
            file = try TemporaryFile(in: directory, name: Self.name, mode: 0o600)
            // Whatever the umask is.
            file.setMode(0o600)
            try file.append(Array(try PageRenderer().onward(to: url, words: words).text.utf8))
        } catch {
            // The link is printed instead.
            return nil
        }
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
