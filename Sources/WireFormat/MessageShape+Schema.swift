import AlbumModel

/// The messages of the schema in which something is repeated.
///
/// Least lengths are those of fields that no sender leaves out: 18 bytes of a replica or an album, 34 of a blob, 9 of a
/// fixed number, 2 of a small one.
extension MessageShape {
    private static let leaf = MessageShape()
    private static let heads = Field.many(leaf, countMax: WireLimits.headCountMax, byteCountMin: 11)
    private static let vectorEntries = Field.many(
        MessageShape([2: heads]), countMax: WireLimits.replicaCountMax, byteCountMin: 18)
    private static let vector = MessageShape([1: vectorEntries])
    private static let signedList = MessageShape([
        1: .many(leaf, countMax: WireLimits.statementCountMax, byteCountMin: 0)
    ])

    /// Batches stay bytes here. Their changes have no bound of their own but the batch's length: all versions must count
    /// them alike.
    private static let batches = MessageShape([
        1: .many(leaf, countMax: WireLimits.pageBatchCountMax, byteCountMin: 4),
        2: .many(leaf, countMax: WireLimits.pageBatchCountMax, byteCountMin: 34),
    ])

    static let presence = MessageShape([
        1: .many(
            MessageShape([
                2: .many(leaf, countMax: WireLimits.elementCountMax, byteCountMin: 4), 3: .one(leaf),
            ]), countMax: WireLimits.replicaCountMax, byteCountMin: 18),
        2: .strings(countMax: WireLimits.presenceBlobCountMax, byteCount: BlobID.byteCount),
    ])

    private static let held = MessageShape([
        1: .strings(countMax: WireLimits.heldCountMax, byteCount: BlobID.byteCount),
        2: .strings(countMax: WireLimits.heldCountMax, byteCount: BlobID.byteCount),
    ])

    private static let summaryDifferences = MessageShape([
        1: .many(
            MessageShape([4: .many(leaf, countMax: WireLimits.elementCountMax, byteCountMin: 2)]),
            countMax: WireLimits.statementCountMax, byteCountMin: 0)
    ])

    static let envelope: MessageShape = {
        var fields = Dictionary(uniqueKeysWithValues: (1...30).map { ($0, Field.one(leaf)) })
        // vector, vector_reply, announced
        for number in [2, 16, 19] { fields[number] = .one(vector) }
        fields[3] = .one(batches)
        // chain_sample
        fields[4] = .one(MessageShape([2: .many(leaf, countMax: WireLimits.samplePointCountMax, byteCountMin: 11)]))
        fields[5] = .one(presence)
        fields[6] = .one(held)
        fields[14] = .one(
            MessageShape([1: .many(leaf, countMax: WireLimits.digestCountMax, byteCountMin: 18)]))
        // addresses, summaries
        for number in [22, 23] { fields[number] = .one(signedList) }
        // summary_versions
        fields[24] = .one(MessageShape([1: .many(leaf, countMax: WireLimits.replicaCountMax, byteCountMin: 9)]))
        // vector_difference
        fields[26] = .one(MessageShape([2: vectorEntries]))
        fields[27] = .one(summaryDifferences)
        // fetching
        fields[28] = .one(
            MessageShape([1: .strings(countMax: WireLimits.leftOutAlbumCountMax, byteCount: AlbumID.byteCount)]))
        // rulings
        fields[29] = .one(
            MessageShape([
                1: .many(leaf, countMax: WireLimits.statementCountMax, byteCountMin: 0),
                2: .strings(countMax: WireLimits.seedCountMax, byteCount: RulingID.byteCount),
            ]))
        // seeds
        fields[30] = .one(MessageShape([1: .many(leaf, countMax: WireLimits.seedCountMax, byteCountMin: 68)]))
        return MessageShape(fields)
    }()

    static let addresses = MessageShape([3: .many(leaf, countMax: WireLimits.addressCountMax, byteCountMin: 0)])
    static let summary = MessageShape([3: .one(presence)])

    static let ruling: MessageShape = {
        let ends = Field.many(leaf, countMax: WireLimits.headCountMax, byteCountMin: 36)
        let cuts = Field.many(MessageShape([2: ends]), countMax: WireLimits.rulingListCountMax, byteCountMin: 56)
        let listCountMax = WireLimits.rulingListCountMax
        let epoch = MessageShape([
            2: .many(MessageShape([2: cuts]), countMax: listCountMax, byteCountMin: 34),
            4: .strings(countMax: listCountMax, byteCount: RulingID.byteCount),
        ])
        return MessageShape([
            2: .strings(countMax: WireLimits.rulingAfterCountMax, byteCount: RulingID.byteCount),
            3: .one(leaf), 4: .one(leaf), 5: .one(epoch),
            6: .one(MessageShape([1: .strings(countMax: listCountMax, byteCount: DeviceID.byteCount)])),
        ])
    }()
}
