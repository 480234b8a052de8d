import AlbumModel
import PhotoStore
public import PotluckAPI

/// A laptop that takes part no longer.
extension HomeSetup {
    /// Whether this laptop left the home's gathering. Blocks.
    public static func hasLeft(home: String) throws(PotluckError) -> Bool {
        guard hasGathering(home: home) else { return false }
        return try reading { try Journal(home: home).identity(.left) != nil }
    }

    /// - Parameter link: an invite link that was opened: it joins nothing here.
    /// - Throws: `.badSetting` where no agent may run in a home that has a gathering, since this laptop left it, and where
    ///   the link leads into another gathering; `.usage` where it is none. Blocks.
    public static func checkTakesPart(home: String, link: String?) throws(PotluckError) {
        if let link {
            let phrase = try invitePhrase(link)
            guard let current = try membership(home) else { throw noGathering(home: home) }
            guard try current.phrases.has(phrase) else { throw otherGatheringError }
        }
        if try hasLeft(home: home) { throw hasLeftError(home: home) }
    }

    /// From then on no agent runs in the home, until the gathering is joined again. Nothing is deleted. Blocks.
    public static func leave(home: String, now: Instant) throws(PotluckError) {
        guard hasGathering(home: home) else { throw noGathering(home: home) }
        try changing(home) { try $0.setIdentity([.left: Array(now.text.utf8)]) }
    }

    /// Takes part again. Blocks.
    static func enterAgain(_ home: String) throws(PotluckError) {
        try changing(home) {
            try $0.setFacts([FactChange(kind: .identity, key: IdentityKey.left.bytes, value: nil)])
        }
    }

    static func hasLeftError(home: String) -> PotluckError {
        PotluckError(
            .badSetting,
            "This laptop left the gathering of \(home), and shares nothing any more. To take part again, say `potluck join PHRASE`; `potluck invite` shows the phrase."
        )
    }
}
