import PotluckAPI

/// The owner's phones, as text for people.
enum PhonesText {
    static func list(_ report: PhonesReport, now: Instant, cellCount: Int?) -> String {
        guard !report.phones.isEmpty else {
            return "No phone is signed in as yours; `potluck open --phone` signs one in.\n"
        }
        let table = Table(
            columns: [
                .init(title: "ID", isKey: true), .init(title: "Signed in"), .init(title: "Seen"), .init(title: "Until"),
            ],
            rows: report.phones.map { phone in
                [
                    phone.id, Phrases.ago(phone.since, now: now), Phrases.ago(phone.seen, now: now),
                    TakenText.shown(phone.expires.text),
                ]
            })
        return table.text(cellCount: cellCount)
    }
}
