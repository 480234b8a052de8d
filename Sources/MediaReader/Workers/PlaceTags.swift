/// What metadata say of the place where a photo was taken, by ExifTool's names.
enum PlaceTags {
    /// Coordinates, and names of places: of EXIF, XMP (IPTC's schemas among it), IPTC, films, and the texts in which
    /// ImageMagick repeats EXIF in a PNG. These can be deleted.
    static let deletable = [
        "GPS:all", "XMP:GPS*", "XMP:Geo*", "XMP-photoshop:City", "XMP-photoshop:State", "XMP-photoshop:Country",
        "XMP-iptcCore:Location", "XMP-iptcCore:CountryCode", "XMP-iptcExt:LocationCreated*",
        "XMP-iptcExt:LocationShown*", "XMP-xmpDM:ShotLocation", "IPTC:City", "IPTC:Sub-location",
        "IPTC:Province-State", "IPTC:Country*", "IPTC:ContentLocation*", "PNG:ExifGPS*", "Keys:GPSCoordinates",
        "Keys:Location*", "ItemList:GPSCoordinates", "UserData:GPSCoordinates", "UserData:LocationInformation",
    ]
    /// What must not be left: these, but of namespaces that ExifTool does not know the coordinates alone; and what
    /// stands where it changes nothing.
    static let telling =
        deletable.filter { $0 != "XMP:GPS*" } + [
            "XMP-exif:GPSL*", "XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:GPSDestL*", "H264:GPS*",
            "Matroska:*Location*",
        ]

    /// ExifTool deletes only what it knows by name: these it can read but for this not write. XMP has no letters of the
    /// hemisphere by its standard, PNG no EXIF in texts, QuickTime's keys no plain "location".
    static let configuration = """
        %Image::ExifTool::UserDefined = (
          'Image::ExifTool::XMP::exif' => {
            map { $_ => { } }
              qw(GPSLatitudeRef GPSLongitudeRef GPSDestLatitudeRef GPSDestLongitudeRef GPSDateStamp)
          },
          'Image::ExifTool::PNG::TextualData' => {
            map { ("exif:GPS$_" => { Name => "ExifGPS$_" }) }
              qw(Info VersionID Latitude LatitudeRef Longitude LongitudeRef Altitude AltitudeRef TimeStamp Satellites
                 Status MeasureMode DOP SpeedRef Speed TrackRef Track ImgDirectionRef ImgDirection MapDatum
                 DestLatitudeRef DestLatitude DestLongitudeRef DestLongitude DestBearingRef DestBearing
                 DestDistanceRef DestDistance ProcessingMethod AreaInformation DateStamp Differential
                 HPositioningError)
          },
          'Image::ExifTool::QuickTime::Keys' => { 'location' => { Name => 'Location' } },
        );
        1;

        """
}
