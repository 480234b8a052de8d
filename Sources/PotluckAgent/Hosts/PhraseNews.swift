import AlbumModel
import PotluckAPI

/// What other laptops say of the phrase that this home has: their word, which nothing proves.
enum PhraseNews: String, Sendable {
    /// It has changed.
    case changed
    /// Hosts put this laptop out.
    case out

    /// - Parameter device: this one, which a host may let in.
    func sentence(of device: DeviceID) -> String {
        let order = "`potluck let-in \(device.hex.prefix(LaptopID.digitCountMin))`"
        return switch self {
        case .changed:
            "Another laptop says that the phrase has changed. Ask for the new one (`potluck invite` there), then say `potluck join PHRASE`; or have a host say \(order)."
        case .out:
            "Another laptop says that this one was put out of the gathering. Its photos stay here. It comes in again once a host says \(order). Or ask for the new phrase, and make a new home with it: `potluck join PHRASE --home DIR`."
        }
    }

    var trouble: StatusReport.PhraseTrouble {
        switch self {
        case .changed: .changed
        case .out: .out
        }
    }
}
