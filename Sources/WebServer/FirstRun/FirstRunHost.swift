public import PotluckAPI
public import WebGallery

/// What the pages of the first run do on this laptop.
public protocol FirstRunHost: Sendable {
    /// Starts a gathering, or joins one, and keeps where its photos go.
    ///
    /// - Throws: ``PotluckError``, whose sentence the form comes back with; nothing was changed then.
    func enter(_ form: FirstRunForm) async throws -> FirstRunEntry

    /// Starts the agent where none runs.
    ///
    /// - Throws: ``PotluckError``, whose sentence the person is shown.
    func startAgent() async throws

    /// - Returns: a link that signs the owner's browser in once.
    /// - Throws: ``PotluckError``, whose sentence the person is shown.
    func openPhotos() async throws -> String
}

/// What a form led to.
public struct FirstRunEntry: Sendable {
    public var invite: InviteReport
    /// Where a gathering was started: as of a ``HostReport``.
    public var recoveryCode: String?

    public init(invite: InviteReport, recoveryCode: String?) {
        self.invite = invite
        self.recoveryCode = recoveryCode
    }
}

/// How a first run ended.
public enum FirstRunEnd: Hashable, Sendable {
    /// The person was led on to the photos.
    case done
    /// No browser asked for the page.
    case nobodyCame
    /// The person did not go on for a long time.
    case abandoned
}
