import WireFormat

/// Everything that bounds the engine, with its arithmetic.
public struct EngineLimits: Hashable, Sendable {
    /// A silent peer is asked after this long, in seconds …
    public var pingInterval = 2.5
    /// … and given up after this long: two pings lost, the third's answer due, all within the promised 10 s.
    public var silenceMax = 8.5
    /// How often a random peer is sent the version vector again, in seconds.
    public var vectorInterval = 30.0
    /// Peers whose last exchanged vector is remembered: twice the links that a device keeps. Of 1,000 replicas each takes
    /// some 100 KB.
    public var sharedVectorCountMax = 16
    /// Pages sent and not yet acknowledged: 4 × 256 KiB keep a link busy while the other side's disk commits.
    public var pageWindow = 4
    /// The same in sum of replicas: 12 MiB.
    public var sharedReplicaCountMax = 131_072
    /// What a peer is owed besides batches and answers leaves while it has read all but so many bytes of it: what a link
    /// of 100 MB/s carries in a round trip of 2.5 ms …
    public var unreadByteCountMax = 256 << 10
    /// … and after so many bytes it is asked whether it has.
    public var markedByteCount = 64 << 10
    /// What costs a look at every replica, want or device is done again for one peer after so many seconds for each: with
    /// a microsecond a look, which is more than it takes, that is a twentieth of a processor.
    public var secondsPerEntry = 20e-6
    /// Batches that are to be pushed to one peer and wait for it; with more, vectors are compared again instead: 160 KiB.
    public var pushedBatchCountMax = 4096
    /// Forked replicas of which one peer told points, and is to be sent what follows them; of the others it asks again.
    public var samplesPerPeerMax = 256
    /// Blobs of which one peer is to be told which parts are here: 16 times the open ones.
    public var toldPartCountMax = 4096
    /// What these bounds come to: parts, announced ends of chains, addresses, summaries and questions for them, rulings.
    var owedCountMax: Int {
        toldPartCountMax + announcedHeadCountMax + knownDeviceCountMax + summaryDeviceCountMax
            + WireLimits.replicaCountMax + RulingLimits().allCountMax + 16
    }
    /// Pages received and not yet stored, of all peers: 64 × (256 KiB + lists) is about 20 MiB.
    public var waitingPageCountMax = 64
    /// A transaction of the journal takes pages until they have so many bytes: two full ones.
    public var transactionPageByteCount = 2 * WireLimits.pageByteCountMax
    /// Replicas that began under epochs whose keys are not held here, and are passed over: as many as four of the largest
    /// gatherings have devices.
    public var passedOverReplicaCountMax = 4096
    /// Changes of one own batch, about as many as its bytes allow of adds: what a signature, its check and a transaction
    /// cost is shared by all of them.
    public var changesPerBatchMax = 100
    /// Own batches of which piece lists are pushed along: the latest.
    public var listedBatchCountMax = 256
    /// Pieces that the working set holds for each connected peer.
    public var workingPiecesPerLink = 64
    /// Requested bytes that have not arrived, in sum: the buffers that they arrive in.
    public var outstandingByteCountMax = 48 << 20
    /// Requests to one peer that have not been answered, for small blobs: twice as many as become durable at one time.
    public var requestsPerLinkMax = 128
    /// The window of one peer: never less than two pieces, so that a request is always on its way …
    public var windowByteCountMin = 2 << 20
    /// … and never more than this, so that a peer that slows down strands little.
    public var windowByteCountMax = 24 << 20
    /// What a window holds, in seconds of the peer's measured rate.
    public var windowSeconds = 0.25
    /// Over how long a rate is measured, in seconds.
    public var rateInterval = 0.1
    /// A round trip counts in a window for at most so many seconds.
    public var windowRoundTripMax = 1.0
    /// A piece that only one peer has is left to the receiver whose share it is for as long as the blob takes to come
    /// twice, and not less and not more than this, in seconds …
    public var sharePatience = 0.05...1.0
    /// … and a piece that another receiver said is on its way to it for so long since it last said so …
    public var comingPatience = 3.0
    /// … unless so few pieces are left of the newest photos that each is asked ahead of who awaits it …
    public var aheadPieceCountMax = 16
    /// … or unless the whole blob comes faster than receivers could agree: within so many seconds.
    public var quickSeconds = 0.1
    /// A photo is one of an import if so many from the same laptop were added before it …
    public var importCountMin = 32
    /// … within so many seconds, and it followed the last of them within four times their mean distance, …
    public var importSeconds = 10.0
    /// … or within so many seconds.
    public var importGapMin = 0.1
    /// By so many seconds it counts as older than it is, for what goes first.
    public var importLag = 60.0
    /// Photos that were added within the same interval, in seconds, do not overtake each other on their way …
    public var precedenceInterval = 10.0
    /// … and older ones wait for so long at most, in seconds, while a peer gathers one from several.
    public var yieldSecondsMax = 1.0
    /// What a link is taken to carry before anything was measured, in bytes a second.
    public var rateGuess = 10e6
    /// A last piece is asked of a second peer when it has been on its way for so long, in seconds.
    public var twinPatience = 0.5
    /// Pieces among which the rarest are sought at a time: 256 are found and sorted in some 50 µs.
    public var candidateCountMax = 256
    /// Changes of the own presence that are kept, for peers that come back.
    public var presenceChangeCountMax = 4096
    /// A device signs a summary of what it holds at most so often, in seconds …
    public var summaryInterval = 10.0
    /// … and one that is long more rarely: so many of its bytes a second.
    public var summaryByteRate = 2048.0
    /// The longest summary that a device signs or that is taken in: in the worst case, where every second one is held of
    /// 100,000 photos with thumbnails that 1,000 devices added, it is 950 KB; mostly a thousandth.
    public var summaryByteCountMax = 1 << 20
    /// What a device tells of its presence; the rest of a summary is who and when.
    public var toldPresenceByteCountMax: Int { summaryByteCountMax - 1024 }
    /// Memory for what one connected device says that it holds: 1 MiB of runs is 2.4 MiB of it, or 65,536 names 3 MiB.
    public var presenceByteCountMax = 4 << 20
    /// Memory for what all devices said that they hold: of 1,000 that know 1,000 replicas each 109 MB …
    public var holdingsByteCountMax = 128 << 20
    /// … and of how many there is anything: a summary of one more is not taken in, and who connects takes the place of
    /// who says least.
    public var summaryDeviceCountMax = 16_384
    /// Summaries leave so many bytes a second over one link, and after a quiet time those of so many seconds at once: of
    /// 1,000 devices they are some 1.4 MB mostly. The rest of the link is for photos.
    public var summaryTellingByteRate = 1_048_576.0
    public var summaryBurstSeconds = 4.0
    /// Bytes of older summaries that are kept, for telling what changed since: of 50 devices in a time of many changes
    /// those of half an hour.
    public var formerSummaryByteCountMax = 4 << 20
    /// How long batches that were announced may take along the tree, in seconds, before an announcer is asked.
    public var treePatience = 0.25
    /// Announced ends of chains that are waited for: of 1,000 devices each may make four changes at once.
    public var announcedHeadCountMax = 4096
    /// Announcers of one head that are remembered.
    public var announcerCountMax = 4
    /// Signed addresses that are told to a peer at a time.
    public var addressSampleCount = 8
    /// What is held, whole or in part, is announced at most this often, in seconds.
    public var announceInterval = 0.05
    /// Of what this device added so much may be with none of those who pull it: beyond it others go before what else is to
    /// be added.
    public var aheadByteCountMax: UInt64 = 48 << 20
    /// Of smaller blobs no parts are announced: they are whole about as soon.
    public var announcedPartByteCountMin = 256 << 10
    /// A request whose link brings nothing for so long, in seconds, is taken back and asked elsewhere …
    public var requestPatience = 20.0
    /// … and the link is not asked for that blob again for so long, in seconds.
    public var restInterval = 60.0
    /// A peer that denies to have what it said it has is asked again after so many seconds, which double up to the second
    /// number; …
    public var deniedSeconds = 15.0...600.0
    /// … one that has it and cannot read it at the moment after so many; …
    public var unreadableSeconds = 2.0...60.0
    /// … one that sent wrong pieces after so many, each time at the cost of a piece; …
    public var condemnedSeconds = 120.0...7200.0
    /// … and a claim whose pieces were right and whose whole was wrong is tried again after so many, at the cost of a blob.
    public var rejectedSeconds = 600.0...86_400.0
    /// Chain samples of one replica are exchanged so often at most over one connection, in seconds.
    public var sampleInterval = 20.0
    /// What others said is remembered for the next run so long after it changed, in seconds; at once where they said that
    /// they hold less.
    public var rememberInterval = 10.0
    /// Bytes between two looks at a link that count as progress: more than pings and answers to them make.
    public var progressByteCountMin: UInt64 = 16 << 10
    /// What is wanted is looked at so often, in seconds, also where nothing happens: a claim that was given up makes room
    /// for another, which begins with the next look.
    public var lookInterval = 2.5
    /// How long a piece list may take, in seconds.
    public var listPatience = 10.0
    /// After a failed write the blob is tried again after this, in seconds.
    public var diskRetryInterval = 15.0
    /// Blobs received and not yet committed: each holds an open file.
    public var openBlobCountMax = 256
    /// After the first failed write of so many blobs, with none that became durable between, the disk is taken to refuse
    /// all: …
    public var failingBlobCountMax = 4
    /// … then one more is tried after so many seconds, which double up to the second number: a piece in vain each four
    /// seconds is 256 KiB/s.
    public var failingDiskSeconds = 1.0...4.0
    /// Blobs that a peer says it holds and that no album here has: their batches may be on their way.
    public var unknownHeldCountMax = 4096
    /// Blobs that a device said it lost since it told everything: 2 MiB.
    public var lostCountMax = 65_536
    /// Pieces of all the blobs of which one peer said what parts it has; the oldest are forgotten: 11 bytes each.
    public var partPieceCountMax = 262_144
    /// Pieces in a list that is kept while its blob waits for its turn, 2 KiB: longer ones are asked for again.
    public var keptListPieceCountMax = WireLimits.pushedListPieceCountMax
    /// Devices that were announced or remembered: 4,096 are four times the largest gathering. Whoever is announced or
    /// connects takes the place of one that is known by hearsay, or never answered.
    public var knownDeviceCountMax = 4096
    /// A connection that lasted so long, in seconds, was a good one: the next dial after it does not pause. A laptop
    /// whose network comes and goes is not punished for it.
    public var settledInterval = 5.0
    /// First and longest pause between attempts to reach a device, in seconds.
    public var dialPauseMin = 0.5
    public var dialPauseMax = 30.0
    /// The pause after a device turned out to be no member, in seconds.
    public var strangerPause = 300.0
    /// The device with the greater ID lets the other dial first, in seconds: fewer connections meet.
    public var dialCourtesy = 0.3
    /// Addresses kept of one device.
    public var addressesPerDeviceMax = 16

    public init() {}
}
