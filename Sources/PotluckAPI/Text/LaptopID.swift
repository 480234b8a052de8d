/// IDs of laptops as people type them.
public enum LaptopID {
    /// Of a laptop that nothing but its ID names: fewer digits could be made another key's.
    public static let digitCountMin = 16
}
