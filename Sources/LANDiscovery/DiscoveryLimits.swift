/// Everything that bounds discovery in number or time.
struct DiscoveryLimits: Sendable {
    /// Announcements remembered, one per service and interface: a wedding of 100 laptops on two interfaces fits.
    var sightingCountMax = 256
    /// Lookups under way. Each holds at most two references open, so that with registration and browse at most 26 are:
    /// D-Bus grants 256 connections to all programs of a user together.
    var lookupCountMax = 12
    /// Addresses taken from one announcement.
    var addressCountMaxPerSighting = 8
    /// Addresses told of one device.
    var addressCountMaxPerDevice = 16

    /// The first and the longest pause before something that failed is tried again; it doubles in between.
    var retryPauseMin: Duration = .seconds(1)
    var retryPauseMax: Duration = .seconds(30)

    /// Resolving ends by itself after 5 s (Avahi), so that this only catches a daemon that stands still.
    var resolveTimeout: Duration = .seconds(8)
    /// A query for a name that does not exist never answers.
    var queryTimeout: Duration = .seconds(5)
    /// How long a query stays open for further addresses after an answer, once both kinds of address have answered …
    var furtherAnswersPause: Duration = .milliseconds(500)
    /// … and while only one kind has: many laptops have no IPv6, which cannot be told from a lost packet.
    var otherKindPause: Duration = .seconds(2)
    /// Answers come one by one in a burst; what was found is told once the burst is over.
    var settlePause: Duration = .milliseconds(50)
    /// One announcement is looked up at most once in this time.
    var lookupInterval: Duration = .seconds(1)

    /// Devices of this gathering are looked up so often: a registration that is renewed with other addresses or
    /// another port raises no event. Mostly the daemon answers from its cache.
    var recheckInterval: Duration = .seconds(30)

    /// Registering takes 0.8 s; a daemon that has not confirmed it after this time stands still.
    var registrationTimeout: Duration = .seconds(30)
    /// After an address or link change the network gets this long to calm down.
    var networkSettlePause: Duration = .seconds(1)
    /// Registrations because of network changes are at least so far apart …
    var networkChangeInterval: Duration = .seconds(5)
    /// … and those because somebody asked for it so far: each costs every laptop a few packets.
    var refreshInterval: Duration = .seconds(30)

    /// A service that goes and comes back within this time was never gone.
    var lossPause: Duration = .seconds(3)
    /// Once an outage is over, known services have this long to show up again: three of the browser's queries (0, 1, 3, 7 s).
    var reappearancePause: Duration = .seconds(10)

    func retryPause(failureCount: Int) -> Duration {
        min(retryPauseMax, retryPauseMin * (1 << min(max(failureCount - 1, 0), 16)))
    }
}
