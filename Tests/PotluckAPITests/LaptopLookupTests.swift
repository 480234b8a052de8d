import PotluckAPI
import Testing

/// Which laptop a person means.
@Suite struct LaptopLookupTests {
    private let laptops = [
        (id: "3f9a41c2aa", name: "Ben’s laptop"), (id: "3f9a41d0bb", name: "Carla"), (id: "77aa01de00", name: "carla"),
        (id: "77aa02de00", name: "77aa01de00"),
    ]

    private func find(_ text: String) throws(PotluckError) -> Int {
        try LaptopLookup.find(text, among: laptops, advice: "Look there.")
    }

    /// Shows that a whole ID comes first, and that names in any case and beginnings of IDs find one laptop.
    @Test(arguments: [("77AA01DE00", 2), ("ben’s LAPTOP", 0), ("3f9a41d", 1), ("77aa02", 3)])
    func findsByNameAndID(text: String, place: Int) throws {
        #expect(try find(text) == place)
    }

    /// Shows that what fits several laptops is wrong usage that lists their IDs.
    @Test(arguments: [("Carla", ["3f9a41d0bb", "77aa01de00"]), ("3f9a41", ["3f9a41c2aa", "3f9a41d0bb"])])
    func whatFitsSeveralListsTheIDs(text: String, ids: [String]) {
        let error = #expect(throws: PotluckError.self) { try find(text) }
        #expect(error?.status == .usage)
        for id in ids { #expect(error?.message.contains(id) == true, "\(error?.message ?? "")") }
    }

    /// Shows that names that are close are told, else the advice; and that few digits are taken for a name.
    @Test(arguments: [("Karla", "Did you mean “Carla” or “carla”?"), ("Zoe", "Look there."), ("3f9a4", "Look there.")])
    func unknownNamesAreTold(text: String, advice: String) {
        let error = #expect(throws: PotluckError.self) { try find(text) }
        #expect(error?.status == .usage)
        #expect(error?.message == "No other laptop of this gathering is called “\(text)”. \(advice)")
    }
}
