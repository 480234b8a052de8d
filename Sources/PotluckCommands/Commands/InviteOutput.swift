import ArgumentParser
import PotluckAPI

/// Whether the QR code is printed.
struct InviteOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Print the QR code. (default: on a terminal only)")
    var qr: Bool?
}

extension PotluckSubcommand {
    func show(_ report: InviteReport, _ qualifier: InviteText.Qualifier, _ options: InviteOptions) throws {
        try show(report) {
            let isWanted = options.qr ?? console.outputIsTerminal
            let code = isWanted ? QRCode.text(report.link, isColoured: console.outputIsTerminal) : nil
            return InviteText.text(report, qualifier, code: code)
        }
    }
}
