import Foundation
import Testing

@testable import WebGallery

/// Who is signed in.
@Suite struct SessionStoreTests {
    private let lena = SessionStore.Holder.guest(guest(1))
    private let ben = SessionStore.Holder.guest(guest(2))

    @Test func sessionsOpenAndClose() {
        var store = SessionStore()
        store.open(lena, token: token(1), now: 0)
        store.open(.owner, token: token(2), now: 0)
        #expect(store.session(of: token(1).text, now: 5)?.holder == lena)
        #expect(store.session(of: token(2).text, now: 5)?.holder == .owner)
        #expect(store.session(of: token(3).text, now: 5) == nil)
        #expect(store.session(of: "", now: 5) == nil)
        #expect(store.close(token(1).text) && !store.close(token(1).text) && !store.close("x"))
        #expect(store.session(of: token(1).text, now: 5) == nil)
        #expect(store.count == 1)
    }

    @Test func sessionsEndByTime() {
        var store = SessionStore()
        store.open(.ownerPass, token: token(1), now: 1000, lifetime: 500)
        #expect(store.session(of: token(1).text, now: 1499) != nil)
        #expect(store.session(of: token(1).text, now: 1500) == nil)
        #expect(store.count == 0)
    }

    /// Shows that revoking a guest ends that guest's sessions alone, and a new link those of all guests alone.
    @Test func guestsAreRevoked() {
        var store = SessionStore()
        store.open(lena, token: token(1), now: 0)
        store.open(lena, token: token(2), now: 0)
        store.open(ben, token: token(3), now: 0)
        store.open(.owner, token: token(4), now: 0)
        store.closeAll(of: lena)
        #expect(store.session(of: token(1).text, now: 0) == nil && store.session(of: token(2).text, now: 0) == nil)
        #expect(store.session(of: token(3).text, now: 0)?.holder == ben && store.count == 2)
        store.closeAllOfGuests()
        #expect(store.session(of: token(4).text, now: 0)?.holder == .owner && store.count == 1)
    }

    /// Shows that what was not used for longest ends first, one's own before another's.
    @Test func sessionsAreBounded() {
        var limits = SessionStore.Limits()
        limits.sessionCountMax = 4
        limits.sessionCountMaxOfHolder = 2
        var store = SessionStore(limits: limits)
        store.open(ben, token: token(1), now: 0)
        store.open(lena, token: token(2), now: 1)
        store.open(lena, token: token(3), now: 2)
        #expect(store.session(of: token(2).text, now: 100_000) != nil)
        store.open(lena, token: token(4), now: 100_001)
        #expect(store.session(of: token(3).text, now: 100_001) == nil)
        #expect(store.session(of: token(2).text, now: 100_001) != nil)
        store.open(.owner, token: token(5), now: 100_002)
        store.open(.ownerPass, token: token(6), now: 100_003)
        #expect(store.session(of: token(1).text, now: 100_003) == nil)
        #expect(store.count == 4)
    }

    /// Shows that the written form brings everybody back, and has no secret in it.
    @Test func sessionsSurviveARestart() throws {
        var store = SessionStore()
        store.open(lena, token: token(1), now: 1000)
        store.open(.owner, token: token(2), now: 2000, lifetime: 10_000)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let written = try encoder.encode(store)
        let text = String(decoding: written, as: UTF8.self)
        #expect(!text.contains(token(1).text) && !text.contains(token(2).text))
        var read = try JSONDecoder().decode(SessionStore.self, from: written)
        #expect(try encoder.encode(read) == written)
        #expect(read.session(of: token(1).text, now: 3000)?.holder == lena)
        #expect(read.session(of: token(1).text, now: 3000)?.since == 1000)
        #expect(read.session(of: token(2).text, now: 12_000) == nil)
    }

    @Test func cookiesCarryTokens() {
        let cookie = SessionCookie(home: "a1-b2; Path=/x")
        #expect(cookie.name == "potluck-a1b2Pathx")
        #expect(
            cookie.setting(token(1), seconds: 60)
                == "potluck-a1b2Pathx=\(token(1).text); Path=/; Max-Age=60; HttpOnly; SameSite=Lax")
        #expect(cookie.value(in: "a=b; potluck-a1b2Pathx=one ;potluck-a1b2Pathx=two") == "one")
        #expect(cookie.value(in: "xpotluck-a1b2Pathx=one; potluck-a1b2Pathxy=two; a") == nil)
        #expect(cookie.removal.contains("Max-Age=0"))
    }
}
