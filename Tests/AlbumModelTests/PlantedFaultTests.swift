import AlbumModel
import Dispatch
import Synchronization
import Testing

/// A fault is switched on where it was planted, for as long as that lasts, and nowhere else: tests run side by side.
@Suite(.enabled(if: PlantedFault.isAvailable)) struct PlantedFaultTests {
    @Test func aFaultIsOnWhereItIsPlanted() {
        #expect(!PlantedFault.isPlanted(.graftIgnored))
        PlantedFault.with(.graftIgnored) {
            #expect(PlantedFault.isPlanted(.graftIgnored))
            #expect(!PlantedFault.isPlanted(.successionIgnored))
            PlantedFault.with(nil) { #expect(!PlantedFault.isPlanted(.graftIgnored)) }
            #expect(PlantedFault.isPlanted(.graftIgnored))
        }
        #expect(!PlantedFault.isPlanted(.graftIgnored))
    }

    /// The simulator's campaigns use plain threads, each with a fault of its own.
    @Test func threadsAreApart() {
        let faults = PlantedFault.allCases
        let aloneCount = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let fault = faults[index % faults.count]
            let planted = PlantedFault.with(fault) { faults.filter { PlantedFault.isPlanted($0) } }
            if planted == [fault] { aloneCount.withLock { $0 += 1 } }
        }
        #expect(aloneCount.withLock(\.self) == 200)
    }

    /// The first error that a body throws comes out as it is.
    @Test func errorsComeThrough() {
        struct Stop: Error, Equatable {}
        #expect(throws: Stop()) {
            try PlantedFault.with(.graftIgnored) { () throws(Stop) in throw Stop() }
        }
    }
}
