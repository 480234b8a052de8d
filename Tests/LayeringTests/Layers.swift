/// Which modules a target may import.
struct Layer {
    /// Targets of this package: only such as stand below.
    var own: Set<String>
    /// Everything else, the system's modules among it.
    var foreign: Set<String>

    init(_ own: Set<String> = [], foreign: Set<String> = []) {
        self.own = own
        self.foreign = foreign
    }
}

enum Layers {
    /// Bottom up; a target may import own ones that stand before it at most, whatever its row says.
    static let all: KeyValuePairs<String, Layer> = [
        "CFileOps": Layer(),
        "CDiskFaults": Layer(),
        "CDNSSD": Layer(),
        "CNettle": Layer(),
        "CQRencode": Layer(),
        "CGalleryFiles": Layer(),
        "CMemory": Layer(),
        "CSandbox": Layer(),
        "CVips": Layer(),
        "CVipsShim": Layer(["CVips"]),
        "AlbumModel": Layer(foreign: ["Crypto"]),
        "CameraClocks": Layer(["AlbumModel"], foreign: ["Glibc"]),
        "WireFormat": Layer(["AlbumModel"], foreign: ["FoundationEssentials", "SwiftProtobuf"]),
        "SyncEngine": Layer(["AlbumModel", "WireFormat"], foreign: ["Crypto", "DequeModule", "HeapModule"]),
        "FolderEngine": Layer(["AlbumModel"], foreign: ["DequeModule"]),
        "DiskIO": Layer(["CFileOps"], foreign: ["Glibc", "Synchronization"]),
        "PhotoStore": Layer(
            ["CNettle", "AlbumModel", "DiskIO"],
            foreign: [
                "Crypto", "DequeModule", "FoundationEssentials", "GRDB", "GRDBSQLite", "Glibc", "Synchronization",
            ]),
        "StoreProbe": Layer(
            ["CNettle", "AlbumModel", "DiskIO", "PhotoStore"], foreign: ["Crypto", "Glibc", "Synchronization"]),
        "store-probe": Layer(["StoreProbe"], foreign: ["Glibc"]),
        "SharedFolder": Layer(
            ["AlbumModel", "FolderEngine", "DiskIO", "PhotoStore"],
            foreign: ["Crypto", "Glibc", "Logging", "NIOPosix", "ServiceLifecycle", "Synchronization"]),
        "MediaWorkerProtocol": Layer(),
        "MediaWorker": Layer(["MediaWorkerProtocol", "CSandbox", "CVipsShim"], foreign: ["Glibc"]),
        "potluck-media-worker": Layer(["MediaWorker"], foreign: ["Glibc"]),
        "MediaReader": Layer(
            ["AlbumModel", "DiskIO", "MediaWorkerProtocol", "CSandbox"],
            foreign: ["Crypto", "Glibc", "Logging", "NIOPosix", "ServiceLifecycle", "Synchronization"]),
        "OutputFormats": Layer(["CQRencode"], foreign: ["Glibc"]),
        "AlbumExport": Layer(
            ["AlbumModel", "DiskIO", "OutputFormats", "CGalleryFiles"],
            foreign: ["Crypto", "Dispatch", "FoundationEssentials", "Glibc"]),
        "PhotoPack": Layer(
            ["AlbumModel", "WireFormat", "DiskIO"], foreign: ["Crypto", "FoundationEssentials", "Glibc"]),
        "LANDiscovery": Layer(
            ["SyncEngine", "CDNSSD"],
            foreign: ["Dispatch", "Glibc", "Logging", "ServiceLifecycle", "Synchronization"]),
        "PeerTransport": Layer(
            ["AlbumModel", "SyncEngine"],
            foreign: [
                "Crypto", "CryptoExtras", "FoundationEssentials", "Glibc", "Logging", "NIOCore", "NIOPosix", "NIOSSL",
                "NIOTLS", "SwiftASN1", "Synchronization", "X509",
            ]),
        "PotluckAPI": Layer(["AlbumModel"], foreign: ["Crypto", "FoundationEssentials", "Glibc"]),
        "WebGallery": Layer(
            ["AlbumModel", "OutputFormats", "PotluckAPI", "CGalleryFiles"],
            foreign: ["Crypto", "FoundationEssentials", "Glibc"]),
        "PotluckClient": Layer(
            ["PotluckAPI"], foreign: ["FoundationEssentials", "Glibc", "NIOCore", "NIOHTTP1", "NIOPosix"]),
        "TestSupport": Layer(
            ["AlbumModel", "PotluckAPI"],
            foreign: ["Crypto", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]),
        "WebServer": Layer(
            ["AlbumModel", "OutputFormats", "PotluckAPI", "WebGallery"],
            foreign: [
                "DequeModule", "FoundationEssentials", "Glibc", "HTTPTypes", "Hummingbird", "HummingbirdCore",
                "Logging",
                "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "ServiceLifecycle",
                "Synchronization",
            ]),
        "PotluckAgent": Layer(
            [
                "AlbumModel", "CameraClocks", "WireFormat", "SyncEngine", "FolderEngine", "DiskIO", "PhotoStore",
                "SharedFolder", "LANDiscovery", "MediaReader", "PeerTransport", "PhotoPack", "PotluckAPI", "WebGallery",
                "WebServer", "CMemory",
            ],
            foreign: [
                "Crypto", "Dispatch", "FoundationEssentials", "Glibc", "Logging", "NIOCore", "NIOPosix",
                "ServiceLifecycle", "Synchronization", "UnixSignals",
            ]),
        "AgentProbe": Layer(
            [
                "AlbumModel", "SyncEngine", "PhotoStore", "StoreProbe", "FolderEngine", "SharedFolder", "MediaReader",
                "PeerTransport", "PotluckAPI", "PotluckAgent",
            ],
            foreign: ["Dispatch", "FoundationEssentials", "Glibc", "Logging", "NIOCore", "NIOPosix", "Synchronization"]),
        "agent-probe": Layer(["AgentProbe", "StoreProbe"], foreign: ["Glibc"]),
        "LaptopDoctor": Layer(
            ["AlbumModel", "DiskIO", "SyncEngine", "LANDiscovery", "PotluckAPI"],
            foreign: ["Dispatch", "FoundationEssentials", "Glibc", "NIOPosix", "Synchronization"]),
        "PotluckCommands": Layer(
            [
                "AlbumModel", "DiskIO", "AlbumExport", "MediaReader", "SyncEngine", "PotluckAPI", "PotluckClient",
                "PotluckAgent", "LaptopDoctor", "OutputFormats", "WebGallery", "WebServer",
            ],
            foreign: [
                "ArgumentParser", "FoundationEssentials", "Glibc", "Logging", "NIOPosix", "Synchronization", "TOMLKit",
                "UnixSignals",
            ]),
        "potluck": Layer(["PotluckCommands"], foreign: ["Glibc"]),
        "FuzzTargets": Layer(
            [
                "AlbumModel", "CSandbox", "LANDiscovery", "LaptopDoctor", "MediaReader", "MediaWorker",
                "MediaWorkerProtocol", "PeerTransport", "PhotoPack", "PotluckAPI", "WebGallery", "WebServer",
                "WireFormat",
            ],
            foreign: ["FoundationEssentials", "Glibc", "NIOCore"]),
        "CLibFuzzer": Layer(),
        "fuzz": Layer(["CLibFuzzer", "FuzzTargets"], foreign: ["ArgumentParser", "FoundationEssentials", "Glibc"]),
        "Simulator": Layer(
            ["AlbumModel", "WireFormat", "SyncEngine", "FolderEngine"],
            foreign: ["Crypto", "Dispatch", "Foundation", "Glibc", "Synchronization"]),
        "simulate": Layer(["Simulator"], foreign: ["ArgumentParser", "Glibc"]),
        "make-gathering": Layer(
            [
                "AlbumModel", "WireFormat", "SyncEngine", "PhotoStore", "PeerTransport", "MediaReader", "PotluckAPI",
                "PotluckAgent",
            ],
            foreign: ["ArgumentParser", "Crypto", "Glibc"]),
    ]

    /// The generated code brings its own.
    static let generatedForeign: Set<String> = ["Foundation", "FoundationEssentials", "SwiftProtobuf"]

    /// They compute from what they are handed: no I/O, no clock, no dice.
    static let pure: Set<String> = ["AlbumModel", "CameraClocks", "WireFormat", "SyncEngine", "FolderEngine"]

    /// What opens and changes files itself, beside `DiskIO`; all that tests are made with may as well.
    private static let touchesDisk: Set<String> = [
        // The sandboxed process: it reads one descriptor that it was handed, and links nothing of the agent's.
        "MediaWorker",
        // A socket in the file system is made, narrowed and removed with the calls that bind it.
        "WebServer",
    ]

    static func mayTouchDisk(_ file: SourceFile) -> Bool {
        touchesDisk.contains(file.target) || file.path.hasPrefix("Tests/")
    }

    /// They talk to a person.
    static let talking: Set<String> = ["PotluckCommands", "potluck", "simulate", "make-gathering", "fuzz"]

    static func layer(of target: String) -> Layer? { all.first { $0.key == target }?.value }
    static func isOwn(_ module: String) -> Bool { all.contains { $0.key == module } }
}
