import AlbumModel
import PotluckAPI
import PotluckAgent

/// What a person answered to where the photos go, before there is an agent.
struct FolderAnswer {
    /// As it was typed; empty for the folder that the settings name.
    let text: String
    let settings: Settings
    let home: HomeLocation

    init(_ text: String, settings: Settings, home: HomeLocation) {
        self.text = AlbumName.trimmed(text)
        self.settings = settings
        self.home = home
    }

    /// Absolute.
    private func path(_ console: Console) throws(PotluckError) -> String {
        if text.isEmpty { return settings.folder }
        if text == "~" || text.hasPrefix("~/") {
            return FilePaths.absolute(try FilePaths.personHome(console.environment) + text.dropFirst(), from: "/")
        }
        guard text.hasPrefix("/") else {
            throw PotluckError(.usage, "“\(text)” is no place for a folder: begin with / or ~/.")
        }
        return FilePaths.absolute(text, from: "/")
    }

    /// - Throws: ``PotluckError`` where no agent could use the folder.
    func check(_ console: Console) throws(PotluckError) {
        let path = try path(console)
        if path != settings.folder, SettingsFile.exists(home: home.path) {
            throw PotluckError(
                .badSetting, "The folder is \(settings.folder) by \(home.path)/\(SettingsFile.name): change it there.")
        }
        try FolderPlace.check(path, home: home.path, isStandard: path == home.defaultFolder)
    }

    /// Writes the folder into the home's settings where it is another one than they name.
    func keep(_ console: Console) throws(PotluckError) {
        let path = try path(console)
        guard path != settings.folder else { return }
        try FolderSetting(path, home: home.path).write()
    }
}
