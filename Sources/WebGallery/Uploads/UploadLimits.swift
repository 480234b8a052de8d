/// What bounds uploads at one door.
public struct UploadLimits: Hashable, Sendable {
    /// Bytes of one file: 8 GiB, more than an hour of a phone's video.
    public var fileByteCountMax: UInt64 = 8 << 30
    /// Unfinished uploads of one guest: a browser sends two at once, and leaves some behind with each reload.
    public var countMaxOfHolder = 32
    /// Unfinished uploads in all, some 600 bytes each in memory.
    public var countMax = 1024
    /// Bytes that one guest's unfinished uploads are to have in the end: two of the largest files at once, and room for
    /// small ones.
    public var byteCountMaxOfHolder: UInt64 = 20 << 30
    /// Bytes of one guest's files within 24 hours: 50 GiB, a long weekend's films of one phone.
    public var dayByteCountMaxOfGuest: UInt64 = 50 << 30
    /// The same of all guests: 200 GiB, less than the room that is left on a laptop that takes part.
    public var dayByteCountMaxOfGuests: UInt64 = 200 << 30
    /// Times that a whole file may come with other bytes than were announced, until it is refused.
    public var mismatchCountMax = 5
    /// Milliseconds from the last byte to the end of an unfinished upload.
    public var lifetime: Int64 = 24 * 3_600_000
    /// Milliseconds for which a finished upload still says what became of it: its last answer may have been lost.
    public var outcomeLifetime: Int64 = 3_600_000
    /// Finished uploads that say so; further ones end the oldest.
    public var outcomeCountMax = 2048

    public init() {}
}
