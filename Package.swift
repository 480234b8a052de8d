// swift-tools-version:6.1
import PackageDescription

/// One array of settings for every Swift target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Mistakes behind a switch, for tests (PlantedFault); products have none.
    .define("PLANTED_FAULTS", .when(configuration: .debug)),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

/// Of what computes only, whose tests replay gatherings by the thousand: optimised in debug builds too, with assertions.
let computing =
    settings + [
        .unsafeFlags(["-O", "-Xfrontend", "-assert-config", "-Xfrontend", "Debug"], .when(configuration: .debug))
    ]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func computingLibrary(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: computing)
}

/// What tests and benches are made with.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

func supportProgram(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "potluck",
    products: [
        .executable(name: "potluck", targets: ["potluck"]),
        .executable(name: "potluck-media-worker", targets: ["potluck-media-worker"]),
        .executable(name: "simulate", targets: ["simulate"]),
        .executable(name: "make-gathering", targets: ["make-gathering"]),
        .executable(name: "store-probe", targets: ["store-probe"]),
        .executable(name: "agent-probe", targets: ["agent-probe"]),
        .executable(name: "fuzz", targets: ["fuzz"]),
        // Loaded into programs by the crash tests, so it has to be a file of its own.
        .library(name: "disk-faults", type: .dynamic, targets: ["CDiskFaults"]),
    ],
    // Exact ones: without a file of resolved versions everybody still builds the same.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf.git", exact: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        // Its standard traits bring configuration readers and ICU.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit.git", exact: "0.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
    ],
    targets: [
        .target(name: "CFileOps"),
        .systemLibrary(name: "CDNSSD"),
        .systemLibrary(name: "CNettle"),
        .systemLibrary(name: "CQRencode"),
        .target(name: "CGalleryFiles"),
        .target(name: "CMemory"),
        .target(name: "CSandbox"),
        // All that libvips's headers need beside their own; its own entry has a flag that SwiftPM warns of.
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0"),
        .target(name: "CVipsShim", dependencies: ["CVips"], linkerSettings: [.linkedLibrary("vips")]),

        computingLibrary("AlbumModel", [crypto]),
        library("CameraClocks", ["AlbumModel"]),
        .target(
            name: "WireFormat", dependencies: ["AlbumModel", protobuf], exclude: ["Schema/potluck.proto"],
            swiftSettings: computing),
        computingLibrary("SyncEngine", ["AlbumModel", "WireFormat", crypto, deque, heap]),
        computingLibrary("FolderEngine", ["AlbumModel", deque]),
        library("DiskIO", ["CFileOps"]),
        library("PhotoStore", ["AlbumModel", "CNettle", "DiskIO", crypto, deque, grdb, grdbSQLite]),
        library(
            "SharedFolder",
            [
                "AlbumModel", "FolderEngine", "DiskIO", "PhotoStore", crypto, logging, nioPosix,
                serviceLifecycle,
            ]),
        library("MediaWorkerProtocol", []),
        library("MediaWorker", ["MediaWorkerProtocol", "CSandbox", "CVipsShim"]),
        .executableTarget(name: "potluck-media-worker", dependencies: ["MediaWorker"], swiftSettings: settings),
        library(
            "MediaReader",
            ["AlbumModel", "DiskIO", "MediaWorkerProtocol", "CSandbox", crypto, logging, nioPosix, serviceLifecycle]),
        library("OutputFormats", ["CQRencode"]),
        library("AlbumExport", ["AlbumModel", "DiskIO", "OutputFormats", "CGalleryFiles", crypto]),
        library("PhotoPack", ["AlbumModel", "WireFormat", "DiskIO", crypto]),
        library("LANDiscovery", ["SyncEngine", "CDNSSD", logging, serviceLifecycle]),
        library(
            "PeerTransport",
            [
                "AlbumModel", "SyncEngine", asn1, certificates, crypto, cryptoExtras, logging, nioCore, nioPosix,
                nioSSL,
                nioTLS,
            ]),
        library("PotluckAPI", ["AlbumModel", crypto]),
        .target(
            name: "WebGallery", dependencies: ["AlbumModel", "OutputFormats", "PotluckAPI", "CGalleryFiles", crypto],
            exclude: ["Resources", "package.json"], swiftSettings: settings),
        library("PotluckClient", ["PotluckAPI", nioCore, nioHTTP1, nioPosix]),
        library(
            "WebServer",
            [
                "AlbumModel", "OutputFormats", "PotluckAPI", "WebGallery", deque, httpTypes, hummingbird,
                hummingbirdCore,
                logging, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix, serviceLifecycle,
            ]),
        library(
            "PotluckAgent",
            [
                "AlbumModel", "CameraClocks", "WireFormat", "SyncEngine", "FolderEngine", "DiskIO", "PhotoStore",
                "SharedFolder", "LANDiscovery", "MediaReader", "PeerTransport", "PhotoPack", "PotluckAPI", "WebGallery",
                "WebServer", "CMemory", crypto, logging, nioCore, nioPosix, serviceLifecycle, unixSignals,
            ]),
        library("LaptopDoctor", ["AlbumModel", "DiskIO", "SyncEngine", "LANDiscovery", "PotluckAPI", nioPosix]),
        library(
            "PotluckCommands",
            [
                "AlbumModel", "DiskIO", "AlbumExport", "MediaReader", "SyncEngine", "PotluckAPI", "PotluckClient",
                "PotluckAgent", "LaptopDoctor", "OutputFormats", "WebGallery", "WebServer", argumentParser, logging,
                nioPosix, toml, unixSignals,
            ]),
        .executableTarget(name: "potluck", dependencies: ["PotluckCommands"], swiftSettings: settings),

        // What several test targets use.
        support("TestSupport", ["AlbumModel", "PotluckAPI", crypto]),
        .target(name: "CDiskFaults", path: "Tests/Support/CDiskFaults"),
        support("StoreProbe", ["AlbumModel", "CNettle", "DiskIO", "PhotoStore", crypto]),
        supportProgram("store-probe", ["StoreProbe"]),
        support(
            "AgentProbe",
            [
                "AlbumModel", "FolderEngine", "MediaReader", "PeerTransport", "PhotoStore", "PotluckAgent",
                "SharedFolder", "StoreProbe", "SyncEngine", "PotluckAPI", logging, nioCore, nioPosix,
            ]),
        supportProgram("agent-probe", ["AgentProbe", "StoreProbe"]),
        support(
            "FuzzTargets",
            [
                "AlbumModel", "CSandbox", "LANDiscovery", "LaptopDoctor", "MediaReader", "MediaWorker",
                "MediaWorkerProtocol", "PeerTransport", "PhotoPack", "PotluckAPI", "WebGallery", "WebServer",
                "WireFormat", nioCore,
            ]),
        .target(name: "CLibFuzzer", path: "Tests/Support/CLibFuzzer"),
        supportProgram("fuzz", ["CLibFuzzer", "FuzzTargets", argumentParser]),
        .target(
            name: "Simulator", dependencies: ["AlbumModel", "WireFormat", "SyncEngine", "FolderEngine", crypto],
            path: "Tests/Support/Simulator", swiftSettings: computing),
        supportProgram("simulate", ["Simulator", argumentParser]),
        supportProgram(
            "make-gathering",
            [
                "AlbumModel", "WireFormat", "SyncEngine", "PhotoStore", "PeerTransport", "MediaReader", "PotluckAgent",
                "PotluckAPI", argumentParser, crypto,
            ]),

        tests("AlbumModel", ["AlbumModel", "TestSupport"]),
        tests("CameraClocks", ["CameraClocks", "AlbumModel"]),
        tests("WireFormat", ["WireFormat", "AlbumModel", "TestSupport"], exclude: ["PinnedMessages.txt"]),
        tests("SyncEngine", ["SyncEngine", "AlbumModel", "WireFormat", "Simulator", crypto]),
        tests("FolderEngine", ["FolderEngine", "AlbumModel", "TestSupport"]),
        tests("DiskIO", ["DiskIO", "TestSupport"]),
        tests("PhotoStore", ["PhotoStore", "DiskIO", "TestSupport", "AlbumModel", "StoreProbe", grdb]),
        tests(
            "Crash",
            [
                "StoreProbe", "store-probe", "AgentProbe", "agent-probe", "AlbumModel", "DiskIO", "PhotoStore",
                "TestSupport", grdb,
            ]),
        tests(
            "SharedFolder",
            [
                "SharedFolder", "FolderEngine", "DiskIO", "Simulator", "TestSupport", "AlbumModel", "PhotoStore",
                crypto, logging, nioPosix,
            ]),
        tests(
            "MediaReader",
            [
                "MediaReader", "MediaWorker", "MediaWorkerProtocol", "TestSupport", "AlbumModel", "CSandbox", "DiskIO",
                "potluck-media-worker",
                logging,
            ]),
        tests("AlbumExport", ["AlbumExport", "OutputFormats", "AlbumModel", "DiskIO", "TestSupport", crypto]),
        tests("PhotoPack", ["PhotoPack", "AlbumModel", "WireFormat", "DiskIO", "TestSupport", crypto]),
        tests("LANDiscovery", ["LANDiscovery", "SyncEngine", logging]),
        tests(
            "PeerTransport",
            [
                "PeerTransport", "TestSupport", "AlbumModel", "SyncEngine", crypto, logging, nioCore, nioPosix, nioSSL,
            ]),
        tests("OutputFormats", ["OutputFormats"]),
        tests("WebGallery", ["WebGallery", "OutputFormats", "PotluckAPI", "AlbumModel", crypto], exclude: ["scripts"]),
        tests("PotluckAPI", ["PotluckAPI", "AlbumModel", "TestSupport"]),
        tests(
            "WebServer",
            [
                "WebServer", "WebGallery", "AlbumModel", "PotluckAPI", "PotluckClient", "TestSupport", crypto,
                httpTypes,
                logging, nioCore, nioPosix,
            ]),
        tests(
            "PotluckAgent",
            [
                "PotluckAgent", "PotluckAPI", "TestSupport", "AlbumModel", "WireFormat", "SyncEngine", "FolderEngine",
                "DiskIO", "PhotoStore", "PhotoPack", "PeerTransport", "WebGallery", "WebServer", crypto, grdb, logging,
                nioCore, nioPosix,
            ],
            exclude: ["Pinned"]),
        tests("LaptopDoctor", ["LaptopDoctor", "LANDiscovery", "PotluckAPI", "SyncEngine"]),
        tests(
            "PotluckCommands",
            [
                "PotluckCommands", "LaptopDoctor", "PotluckAPI", "PotluckClient", "AlbumExport", "AlbumModel", "DiskIO",
                "PotluckAgent",
                "SyncEngine",
                "TestSupport", "WebServer",
                argumentParser, crypto, logging, nioPosix,
            ]),
        tests("Simulator", ["Simulator", "TestSupport", "AlbumModel"]),
        tests(
            "FolderOracle",
            [
                "PotluckAgent", "PotluckAPI", "SharedFolder", "FolderEngine", "SyncEngine", "Simulator", "TestSupport",
                "AlbumModel", "PhotoStore", logging,
            ]),
        tests("Fuzz", ["FuzzTargets", "TestSupport"], exclude: ["Found"]),
        tests("Layering", []),
        tests("Lab", ["TestSupport"]),
        // What it attacks are processes; the agent's own code is there for asking them how they are.
        tests(
            "Hostile",
            [
                "TestSupport", "AlbumModel", "WireFormat", "SyncEngine", "PeerTransport", "PotluckAPI", "PotluckClient",
                "PotluckAgent", crypto, nioCore, nioPosix, nioSSL,
            ]),
    ],
    swiftLanguageModes: [.v6]
)
