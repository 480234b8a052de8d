import AlbumModel
import FolderEngine
import SyncEngine
import TestSupport
import Testing

@testable import PotluckAgent
@testable import SharedFolder

/// Which names of photos the folder is told.
@Suite struct PhotoNameTests {
    // Shows that the folder is told of each photo that gets another name, with who added it, and not of one whose bytes are
    // elsewhere or that is in no album any more; and at a start only of those whose files have other names.
    @Test func theFolderIsTold() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { agent in
                let photos = [
                    try await agent.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach"),
                    try await agent.add(SamplePhoto.jpeg(2), name: "2.jpg", to: "Beach"),
                    try await agent.add(SamplePhoto.jpeg(3), name: "3.jpg", to: "Beach"),
                ]
                var told: [PhotoKey: PhotoName] = [:]
                try await eventually("the folder is told of the new photos") {
                    told.merge(agent.folder.takeNames()) { $1 }
                    return .when(Set(told.keys) == Set(photos), "it knows of \(told)")
                }
                try await agent.services.contributions.contribute(all: [
                    .deviceName("Grandma"),
                    .photoName(photos[0].album, photos[0].blob, "new.jpg"),
                    .photoRemoval(photos[2].album, photos[2].blob),
                ])
                let new = PhotoName(shared: "new.jpg", deviceName: "Grandma")
                told = [:]
                try await eventually("the folder is told of the new name") {
                    told.merge(agent.folder.takeNames()) { $1 }
                    return .when(told == [photos[0]: new], "it is told \(told)")
                }
                agent.folder.setFiles(
                    zip(photos, ["1.jpg", "2.jpg", "three.jpg"]).map {
                        FolderFile(path: "Beach/\($1)", album: $0.album, blob: $0.blob)
                    })
                await agent.services.folder.followAllNames()
                #expect(agent.folder.takeNames() == [photos[0]: new])
            }
        }
    }

    // Shows that the folder is told a photo's name once its bytes are here again: while the store had lost them, the photo may
    // have got another one than its file has.
    @Test func aNameThatCameWithoutBytesIsTold() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { agent in
                let photo = try await agent.add(SamplePhoto.jpeg(1), name: "1.jpg", to: "Beach")
                agent.folder.setFiles([FolderFile(path: "Beach/1.jpg", album: photo.album, blob: photo.blob)])
                await agent.services.host.feed(.blobLost(photo.blob))
                try await agent.services.contributions.contribute(all: [
                    .photoName(photo.album, photo.blob, "new.jpg")
                ])
                await agent.services.host.feed(.committed(photo.blob))
                try await eventually("the folder is told of the new name") {
                    let name = agent.folder.name(of: photo)?.shared
                    return .when(name == "new.jpg", "it is told \(name ?? "nothing")")
                }
            }
        }
    }

    // Shows that the folder is told which photos took the place of another one of their album and name, in whatever case and
    // over however many steps: not of one with another name, nor of one in another album.
    @Test func successorsOfOneNameAreTold() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { agent in
                let old = try await agent.add(SamplePhoto.jpeg(1), name: "a.jpg", to: "Beach")
                let other = try await agent.add(SamplePhoto.jpeg(2), name: "b.jpg", to: "Beach")
                let new = try await agent.add(SamplePhoto.jpeg(3), name: "A.jpg", to: "Beach")
                let elsewhere = try await agent.add(SamplePhoto.jpeg(4), name: "a.jpg", to: "Hills")
                try await agent.services.contributions.contribute(all: [
                    .replacement(old, by: other), .replacement(other, by: new), .replacement(old, by: elsewhere),
                ])
                agent.folder.setFiles(
                    [old, other, new, elsewhere].map {
                        FolderFile(path: "Beach/x.jpg", album: $0.album, blob: $0.blob)
                    })
                _ = agent.folder.takeNames()
                await agent.services.folder.followAllNames()
                let told = agent.folder.takeNames()
                #expect(told.count == 4 && Set(told.filter { $0.value.isSuccessor }.keys) == [new])
            }
        }
    }

    // Shows that a start compares the names of many files in parts, between which the engine does other work, and none is
    // left out: neither the first nor the last of a part.
    @Test func manyFilesAreComparedInParts() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { agent in
                var photos: [PhotoKey] = []
                for seed in 1...4 {
                    photos.append(try await agent.add(SamplePhoto.jpeg(seed), name: "\(seed).jpg", to: "Beach"))
                }
                var told: Set<PhotoKey> = []
                try await eventually("the folder is told of the new photos") {
                    told.formUnion(agent.folder.takeNames().keys)
                    return .when(told == Set(photos), "it knows of \(told)")
                }
                let count = FolderService.comparedFileCount
                let places = [0, count - 1, count, 2 * count]
                let misnamed = Dictionary(uniqueKeysWithValues: zip(places, photos))
                agent.folder.setFiles(
                    (0...2 * count).map { place in
                        let photo = misnamed[place] ?? photos[0]
                        let name = misnamed[place] == nil ? "1.jpg" : "other.jpg"
                        return FolderFile(path: "Beach/\(name)", album: photo.album, blob: photo.blob)
                    })
                _ = agent.folder.takeNames()
                await agent.services.folder.followAllNames()
                #expect(agent.folder.namedPartCount >= 3)
                #expect(Set(agent.folder.takeNames().keys) == Set(photos))
            }
        }
    }

    // Shows that the successors of many photos are told in parts likewise, and none is left out.
    @Test func manySuccessorsAreToldInParts() async throws {
        try await RunningAgent.withHome { path in
            try await RunningAgent.run(path) { agent in
                var photos: [PhotoKey] = []
                for seed in 1...8 {
                    photos.append(try await agent.add(SamplePhoto.jpeg(seed), name: "\(seed).jpg", to: "Beach"))
                }
                let (formers, successors) = (Array(photos.prefix(4)), Array(photos.suffix(4)))
                for (former, successor) in zip(formers, successors) {
                    try await agent.services.contributions.contribute(all: [.replacement(former, by: successor)])
                }
                var told: Set<PhotoKey> = []
                try await eventually("the folder is told of the new photos") {
                    told.formUnion(agent.folder.takeNames().keys)
                    return .when(told == Set(photos), "it knows of \(told)")
                }
                let count = FolderService.comparedFileCount
                // Most have no successor.
                var leaving = Array(repeating: successors[0], count: 2 * count + 1)
                for (place, former) in zip([0, count - 1, count, 2 * count], formers) { leaving[place] = former }
                _ = agent.folder.takeNames()
                await agent.services.folder.followNames(ofSuccessorsOf: leaving)
                #expect(agent.folder.namedPartCount >= 3)
                #expect(Set(agent.folder.takeNames().keys).isSuperset(of: successors))
            }
        }
    }
}
