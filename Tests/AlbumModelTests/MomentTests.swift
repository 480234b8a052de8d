import AlbumModel
import Testing

/// Files that are one moment are one entry, and nothing else is.
@Suite struct MomentTests {

    private func file(
        _ name: String, _ kind: MediaKind? = .photo, by author: UInt8 = 1, content: String = "", at: Int64? = nil,
        model: String = "M1", source: CaptureTime.Source = .exif
    ) -> MomentPart {
        var number = name.utf8.reduce(UInt64(author)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        number ^= number >> 32
        let blob = BlobID(bytes: BigEndian.bytes(number) + [UInt8](repeating: 0, count: 24))!
        return MomentPart(
            blob: blob, name: name, contributor: Person(Author(author).device), kind: kind, contentIdentifier: content,
            taken: at.map { CaptureTime(localMilliseconds: $0, offsetMinutes: nil, source: source) },
            model: kind == nil ? "" : model)
    }

    /// Each lead with its companions, as names; those that stand alone are left out.
    private func entries(_ parts: [MomentPart]) -> [String: [String]] {
        let names = Dictionary(
            uniqueKeysWithValues: parts.map { ($0.blob, $0.name.stem + "." + $0.name.fileExtension) })
        var entries: [String: [String]] = [:]
        for moment in Moments.find(parts) where !moment.companions.isEmpty {
            entries[names[moment.lead]!] = moment.companions.map { "\(names[$0.blob]!) \($0.role.rawValue)" }
        }
        return entries
    }

    /// The two halves of a Live Photo, by their identifier and not by their names.
    @Test func livePhotosArePairs() {
        #expect(
            entries([
                file("IMG_1.HEIC", content: "A"), file("other.MOV", .video, content: "A"),
                file("IMG_2.HEIC", content: ""), file("IMG_2.MOV", .video, content: ""),
                file("IMG_3.HEIC", content: "C"), file("IMG_3.MOV", .video, by: 2, content: "C"),
            ]) == ["img_1.heic": ["other.mov video"]])
    }

    /// An edited copy has the identifier of what it was made of: then the names tell which halves belong together.
    @Test func editedLivePhotosStayApart() {
        #expect(
            entries([
                file("IMG_1.HEIC", content: "A"), file("IMG_1.MOV", .video, content: "A"),
                file("IMG_E1.HEIC", content: "A"), file("IMG_E1.MOV", .video, content: "A"),
                file("IMG_F1.MOV", .video, content: "A"),
            ]) == ["img_1.heic": ["img_1.mov video"], "img_e1.heic": ["img_e1.mov video"]])
    }

    /// A raw file belongs to the picture of the same name, time and camera.
    @Test func rawFilesBelongToTheirPictures() {
        #expect(
            entries([
                file("DSC_1.JPG", at: 5), file("dsc_1.NEF", .raw, at: 5), file("DSC_2.JPG", at: 5),
                file("DSC_2.NEF", .raw, at: 6), file("DSC_3.JPG", at: 5), file("DSC_3.NEF", .raw, at: 5, model: "M2"),
                file("DSC_4.JPG", at: 5), file("DSC_4.NEF", .raw, by: 2, at: 5), file("DSC_5.NEF", .raw, at: 5),
                file("DSC_6.JPG", at: 5, source: .modification), file("DSC_6.NEF", .raw, at: 5, source: .modification),
                file("DSC_7.JPG"), file("DSC_7.NEF", .raw),
            ]) == ["dsc_1.jpg": ["dsc_1.nef raw"]])
    }

    /// Raw file, picture and video of one shot are one entry, sidecars included.
    @Test func everythingOfOneShotIsOneEntry() {
        #expect(
            entries([
                file("IMG_1.DNG", .raw, at: 5), file("IMG_1.HEIC", content: "A", at: 5),
                file("IMG_1.MOV", .video, content: "A"), file("IMG_1.AAE", .sidecar), file("IMG_1.DNG.xmp", nil),
            ]) == [
                "img_1.heic": [
                    "img_1.aae sidecar", "img_1.dng raw", "img_1.dng.xmp sidecar", "img_1.mov video",
                ]
            ])
        // Without a picture the raw file leads.
        #expect(
            entries([file("IMG_1.DNG", .raw, content: "A", at: 5), file("IMG_1.MOV", .video, content: "A")]) == [
                "img_1.dng": ["img_1.mov video"]
            ])
        #expect(
            entries([
                file("IMG_1.DNG", .raw, content: "A", at: 5), file("IMG_1.MOV", .video, content: "A"),
                file("IMG_1.JPG", at: 5),
            ]) == ["img_1.jpg": ["img_1.dng raw", "img_1.mov video"]])
    }

    /// A sidecar goes with the file whose name it has, and a photo that is called like one is none.
    @Test func sidecarsFindTheirPhotos() {
        #expect(
            entries([
                file("a.jpg"), file("a.cr2", .raw), file("a.jpg.xmp", .sidecar), file("a.xmp", .sidecar),
                file("b.xmp", .photo), file("b.jpg"), file("c.xmp", .sidecar), file("c.jpg", by: 2),
                file("Dr. Who.jpg"), file("dr. who.XMP", nil),
                file("IMG_O1.AAE", .sidecar), file("IMG_1.HEIC"), file("IMG_E1.HEIC"), file("IMG_E1.AAE", .sidecar),
            ]) == [
                "a.cr2": ["a.xmp sidecar"], "a.jpg": ["a.jpg.xmp sidecar"], "dr. who.jpg": ["dr. who.xmp sidecar"],
                "img_1.heic": ["img_o1.aae sidecar"], "img_e1.heic": ["img_e1.aae sidecar"],
            ])
    }

    /// Random albums give the same moments in any order, every photo in one of them, and looking at what a photo may
    /// belong to alone gives the same as looking at everything.
    @Test func momentsDependOnThePhotosAlone() {
        var random = TestRandom(state: 3)
        for _ in 0..<200 {
            var parts: [BlobID: MomentPart] = [:]
            for _ in 0..<12 {
                let stem = ["IMG_1", "IMG_E1", "IMG_O1", "img_2"].randomElement(using: &random)!
                let ending = ["jpg", "HEIC", "mov", "dng", "aae", "jpg.xmp"].randomElement(using: &random)!
                let kind = [MediaKind.photo, .video, .raw, .sidecar, nil].randomElement(using: &random)!
                let part = file(
                    "\(stem).\(ending)", kind, by: UInt8.random(in: 1...2, using: &random),
                    content: ["", "A", "B"].randomElement(using: &random)!,
                    at: [nil, 1, 2].randomElement(using: &random)!)
                parts[part.blob] = part
            }
            let all = parts.values.sorted { $0.blob < $1.blob }
            let moments = Moments.find(all)
            #expect(Moments.find(all.shuffled(using: &random)) == moments)
            let listed = moments.flatMap { [$0.lead] + $0.companions.map(\.blob) }
            #expect(listed.sorted() == all.map(\.blob))
            for part in all { #expect(local(part, all) == moments.first { $0.contains(part.blob) }) }
        }
    }

    /// The moment of a photo as found among those that it is connected with.
    private func local(_ part: MomentPart, _ all: [MomentPart]) -> Moment? {
        var near: Set<MomentPart> = [part]
        while true {
            let more = all.filter { other in
                near.contains { known in
                    known.contributor == other.contributor
                        && (known.name.family == other.name.family
                            || !known.contentIdentifier.isEmpty && known.contentIdentifier == other.contentIdentifier)
                }
            }
            if near.isSuperset(of: more) { break }
            near.formUnion(more)
        }
        return Moments.find(Array(near)).first { $0.contains(part.blob) }
    }
}

extension Moment {
    fileprivate func contains(_ blob: BlobID) -> Bool { lead == blob || companions.contains { $0.blob == blob } }
}
