public import StoreProbe

extension StoreOperation {
    /// What agents and commands do to a home with more than its store. Only debug builds have any: others show no
    /// module the parts that it takes.
    public static var ofAgents: [StoreOperation] {
        #if DEBUG
        [
            founding, newPhrase, firstStart, removing, restoring, renamingAlbum, renamingPhotos, backup, backupAgain,
            newMachine,
        ]
        #else
        []
        #endif
    }
}
