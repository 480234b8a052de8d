import AlbumModel
import HTTPTypes
import Hummingbird
import Synchronization
import WebGallery

/// What guests may have this laptop work out in a while: listings, searches, pictures that are made, archives. Bytes that
/// lie ready are not counted: the doors' connections bound them.
final class ReadBudget: Sendable {
    enum Read: Sendable {
        case listing, search, picture, archive

        /// Tokens of a guest's bucket.
        fileprivate var cost: Int64 {
            switch self {
            case .listing, .picture: 1
            case .search: 4
            case .archive: 20
            }
        }
    }

    private let budget: Mutex<RequestBudget<GuestID>>
    private let clock: GalleryClock

    init(limits: WebLimits = WebLimits(), clock: GalleryClock) {
        self.clock = clock
        budget = Mutex(RequestBudget(each: limits.readsOfGuest, all: limits.readsOfGuests, now: clock.steady()))
    }

    /// - Parameter guest: `nil` for the owner, who is not limited.
    /// - Throws: ``Problem`` with 429.
    func take(_ read: Read, by guest: GuestID?) throws(Problem) {
        guard let guest else { return }
        let now = clock.steady()
        switch budget.withLock({ $0.take(read.cost, of: guest, now: now) }) {
        case .allowed: return
        case .wait(let milliseconds): throw Self.tooMany(retryAfter: Int((milliseconds + 999) / 1000))
        case .tooMuch: throw Self.tooMany(retryAfter: 60)
        }
    }

    private static func tooMany(retryAfter: Int) -> Problem {
        Problem(
            .tooManyRequests, "too_many", "This laptop was asked for a lot at once; try again in a moment.",
            retryAfter: retryAfter)
    }
}

extension WebRoute {
    /// The same route, for guests within their budget.
    func counted(by budget: ReadBudget) -> WebRoute {
        WebRoute(resource) { request in
            try budget.take(request.read, by: request.visitor?.guest)
            return try await answer(request)
        }
    }
}

extension WebRequest {
    /// A listing with a query is narrowed, or tells more.
    var read: ReadBudget.Read { request.uri.query == nil ? .listing : .search }
}
