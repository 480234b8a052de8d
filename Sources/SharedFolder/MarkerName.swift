import FolderEngine

extension SharedFolder {
    /// The name of the marker, by which anybody can tell that a directory is a shared folder.
    public static var markerName: String { Marker.path.text }
}
