import ArgumentParser
import PotluckAPI

/// Whether the QR code is printed.
struct InviteOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Print the QR code. (default: on a terminal only)")
    var qr: Bool?
}

extension PotluckSubcommand {
    func show(_ report: InviteReport, _ qualifier: InviteText.Qualifier, _ options: InviteOptions) throws {
        try show(report) { InviteText.text(report, qualifier, code: code(report.link, options)) }
    }

    func show(_ report: HostReport, _ options: InviteOptions) throws {
        try show(report) { InviteText.text(report, code: code(report.link, options)) }
    }

    /// The QR code's lines, where one is wanted.
    func code(_ link: String, _ options: InviteOptions) -> String? {
        guard options.qr ?? console.outputIsTerminal else { return nil }
        return QRCode.text(link, isColoured: console.outputIsTerminal)
    }
}
