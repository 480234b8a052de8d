import Foundation

struct Invite: Decodable {
    var gathering: String?
    var phrase: String
}

/// The documents that the commands print with --json, as a script reads them.
enum Listing {
    struct Albums: Decodable {
        var albums: [Album]
    }

    struct Album: Decodable, Hashable {
        var id: String
        var name: String
        var photos: Int
        var bytes: Int
        var here: Int
        var copiesMin: Int
        var updated: String?
        var digest: String
        var digestLevel: Int

        enum CodingKeys: String, CodingKey {
            case id, name, photos, bytes, here, updated, digest
            case copiesMin = "copies_min"
            case digestLevel = "digest_level"
        }
    }

    struct Photos: Decodable {
        var album: String
        var photos: [Photo]
    }

    struct Photo: Decodable, Hashable {
        var id: String
        var name: String
        var file: String?
        var bytes: Int
        var type: String?
        var by: String
        var contributors: [String]
        var here: Bool
        var copies: Int
        var `where`: Set<String>
        /// The blob of its thumbnail; there is one once its device has looked at it.
        var thumbnail: String?
    }

    struct Peers: Decodable {
        var peers: [Peer]
    }

    struct Peer: Decodable {
        var id: String
        var name: String?
        var connected: Bool
        var address: String?
        var found: String?
        var photos: Int?
        var host: Bool?
    }

    struct Hosts: Decodable {
        struct Host: Decodable {
            var id: String
            var name: String?
        }

        struct Waiting: Decodable {
            var id: String
            var name: String?
            var out: Bool
        }

        /// How far the gathering's phrase has come.
        struct Phrase: Decodable {
            var have: Int
            var laptops: Int
        }

        /// By rank.
        var hosts: [Host]
        var waiting: [Waiting]?
        var phrase: Phrase?
    }

    struct Status: Decodable {
        struct Device: Decodable {
            var id: String
            var name: String
        }

        struct Missing: Decodable {
            struct Item: Decodable {
                var name: String
                var reason: String
            }

            var photos: Int
            var bytes: Int
            var items: [Item]
        }

        struct Skipped: Decodable {
            var path: String
            var reason: String
        }

        struct Disk: Decodable {
            struct Use: Decodable {
                var photos: Int
                var folder: Int
            }

            var use: Use?
        }

        var device: Device
        var agent: String
        var disk: Disk?
        var missing: Missing
        struct Held: Decodable {
            var reason: String
            var vanished: Int
            var of: Int
        }

        var skipped: [Skipped]?
        var problems: [String]
        /// What waits for `confirm` or `undo`.
        var held: Held?
    }

    struct Trash: Decodable {
        struct Photo: Decodable {
            var name: String
        }

        var trash: [Photo]
    }

    struct Hidden: Decodable {
        var hidden: [Trash.Photo]
    }

    struct Leaving: Decodable {
        struct Amount: Decodable {
            var photos: Int
            var bytes: Int
        }

        struct Device: Decodable {
            var name: String
            var photos: Int
        }

        var safe: Bool
        var here: Amount
        var alone: Amount
        var incoming: Amount?
        var devices: [Device]
    }

    struct Verification: Decodable {
        struct Finding: Decodable {
            var kind: String
            var name: String?
            var message: String
        }

        struct Amount: Decodable {
            var photos: Int
        }

        struct Quarantine: Decodable {
            var files: Int
        }

        var findings: [Finding]
        /// What lies in the store and no album needs.
        var unneeded: Amount
        var quarantine: Quarantine
    }
}

/// A listing for people: a line of headings, a line per thing, with at least two spaces between the cells, then a sum.
/// What is indented is more about the thing above.
struct Table {
    let rows: [[String: String]]
    let text: String

    init(_ text: String) {
        self.text = text
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix(" ") }
        let lines = whole.map { line in
            String(line).replacing(#/ {2,}/#, with: "\t").split(separator: "\t").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        let start = lines.firstIndex { $0.count > 1 } ?? lines.endIndex
        let headings = start < lines.endIndex ? lines[start] : []
        rows = lines[start...].dropFirst().prefix { $0.count == headings.count }.map { cells in
            Dictionary(uniqueKeysWithValues: zip(headings, cells))
        }
    }

    func row(_ heading: String, _ value: String) -> [String: String]? { rows.first { $0[heading] == value } }
}
