import HTTPTypes
import Hummingbird
import NIOCore
import OutputFormats
import PotluckAPI
import WebGallery

/// Fills pages, and answers with them.
struct PageMaker: Sendable {
    let renderer: PageRenderer
    let files: StaticFiles
    private let host: any GalleryHost

    /// - Throws: ``PotluckError`` where a template is not as it should be, which is a mistake of ours.
    init(host: any GalleryHost) throws {
        self.host = host
        files = .embedded
        do {
            renderer = try PageRenderer(files)
        } catch {
            throw PotluckError(.failed, "The pages for browsers cannot be made: \(error)")
        }
    }

    func setting() async -> PageSetting { await host.setting() }

    /// What a page says instead of an error's document; `nil` where it has no words for it.
    func failure(_ status: HTTPResponse.Status) async -> HTMLMarkup? {
        let page: MessagePage
        switch status.code {
        case 401:
            page = MessagePage(
                title: "Scan the code to come in",
                sentence:
                    "Nobody is signed in here. Scan the code on the wall or on a card, or open the link that you were given once more.",
                actions: [.init(address: "/g/", words: "I have a code")])
        case 403:
            page = MessagePage(
                title: "This is the owner's", sentence: "Only the person with the laptop may see this page.",
                actions: [.init(address: "/", words: "To the albums")])
        case 404:
            page = MessagePage(
                title: "This is not here", sentence: "It was removed, or the address is not right.",
                actions: [.init(address: "/", words: "To the albums")])
        case 410:
            page = MessagePage(
                title: "This link has ended", sentence: "Ask whoever invited you for a new one.",
                actions: [.init(address: "/g/", words: "I have a code")])
        case 421: return nil
        case 429, 503:
            page = MessagePage(title: "One moment", sentence: "The laptop is busy. Load the page again in a moment.")
        default:
            page = MessagePage(
                title: "That did not work",
                sentence: "Load the page again. If that does not help, ask the laptop's owner.")
        }
        return renderer.message(page, await setting())
    }
}

extension HTMLMarkup {
    /// As a page of a door.
    func response(
        _ status: HTTPResponse.Status = .ok, at door: Door, headers others: HTTPFields = [:],
        fields: [PageHeaders.Field]? = nil
    ) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        headers.set(fields ?? PageHeaders.page(isLoopback: door.isLoopback))
        for name in [HTTPField.Name.setCookie, .retryAfter, .allow] { headers[values: name] = others[values: name] }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

extension StaticFiles.Answer {
    var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: file.mediaType, .eTag: file.entityTag.text, .cacheControl: cacheControl,
        ]
        headers.set(PageHeaders.staticFile)
        return headers
    }
}

extension Door {
    /// Whether only this laptop's browsers reach it.
    var isLoopback: Bool {
        if case .address(let host, _) = place { host.hasPrefix("127.") } else { false }
    }
}
