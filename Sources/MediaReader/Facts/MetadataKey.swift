/// What is read of a file's metadata: this table is all of it.
///
/// The names are ExifTool's tags behind its name of the group where they stand (`-G0`), with these differences: `EXIF`
/// is the main picture's IFD0, its Exif and its GPS IFD, never the thumbnail's IFD1; `SubIFD` stands for any other IFD
/// of a TIFF, `Keys`, `ItemList` and `UserData` for these parts of a film, `Track` for any track of it. `MakerNotes`
/// and `XMP` are any maker's, and any namespace's. Values are as `exiftool -n` gives them: a date is
/// `2024:07:01 12:30:05`, some with a fraction and an offset behind it (`.25+02:00`, `Z`); a number has a decimal
/// point, no unit. Where a key can have several values they stand in the file's order.
///
/// Whoever fills it from another library writes the same. Keys marked "own" are none of ExifTool's.
public enum MetadataKey: String, CaseIterable, Hashable, Sendable {
    // MARK: The file

    /// ExifTool's word for what the content is: `JPEG`, `HEIC`, `AVIF`, `PNG`, `Extended WEBP`, `MP4`, `CR2` …
    case fileType = "File:FileType"
    /// `image/jpeg`, `video/mp4` …
    case mimeType = "File:MIMEType"
    /// Pixels as stored, of formats with one picture.
    case storedWidth = "File:ImageWidth"
    case storedHeight = "File:ImageHeight"
    /// Own: pixels of the picture turned upright, by the library that decodes it. Beats all other sizes. Not to be
    /// given for RAW formats, where what is decoded is a preview of another size.
    case displayWidth = "File:DisplayWidth"
    case displayHeight = "File:DisplayHeight"
    /// Own: bytes before a Motion Photo's film, and bytes of the film itself. ``MovingPartReader`` fills them.
    case movingPartStart = "File:MovingPartStart"
    case movingPartByteCount = "File:MovingPartByteCount"
    /// Own: seconds.
    case movingPartDuration = "File:MovingPartDuration"
    /// Why ExifTool could read nothing, in its words.
    case error = "ExifTool:Error"
    /// What ExifTool found amiss and read over; `[minor]` stands before what harms nothing.
    case warning = "ExifTool:Warning"

    // MARK: EXIF

    case make = "EXIF:Make"
    case model = "EXIF:Model"
    /// 1 to 8.
    case orientation = "EXIF:Orientation"
    case dateTimeOriginal = "EXIF:DateTimeOriginal"
    /// EXIF's DateTimeDigitized.
    case dateTimeDigitized = "EXIF:CreateDate"
    /// The digits behind the decimal point of the seconds, leading zeros among them.
    case subSecondsOriginal = "EXIF:SubSecTimeOriginal"
    case subSecondsDigitized = "EXIF:SubSecTimeDigitized"
    /// `+02:00`, `-03:30`, `Z`.
    case offsetOriginal = "EXIF:OffsetTimeOriginal"
    case offsetDigitized = "EXIF:OffsetTimeDigitized"
    case lensModel = "EXIF:LensModel"
    /// EXIF's BodySerialNumber.
    case serialNumber = "EXIF:SerialNumber"
    /// DNG's.
    case cameraSerialNumber = "EXIF:CameraSerialNumber"
    /// Four numbers; only DNG has it.
    case dngVersion = "EXIF:DNGVersion"
    /// 32803: a sensor's colour filter array, 34892: linear RAW.
    case photometricInterpretation = "EXIF:PhotometricInterpretation"
    case subPhotometricInterpretation = "SubIFD:PhotometricInterpretation"

    // MARK: GPS

    /// Degrees without sign: a decimal number, or degrees, minutes and seconds separated by blanks.
    case latitude = "EXIF:GPSLatitude"
    /// `N` or `S`; what stands behind the first letter does not count.
    case latitudeRef = "EXIF:GPSLatitudeRef"
    case longitude = "EXIF:GPSLongitude"
    /// `E` or `W`.
    case longitudeRef = "EXIF:GPSLongitudeRef"
    /// Metres without sign.
    case altitude = "EXIF:GPSAltitude"
    /// 1 and 3: below sea level, else above.
    case altitudeRef = "EXIF:GPSAltitudeRef"
    /// `2024:07:01`, UTC.
    case gpsDate = "EXIF:GPSDateStamp"
    /// `10:30:05` or `10:30:05.99`, UTC.
    case gpsTime = "EXIF:GPSTimeStamp"
    /// Own: the same where EXIF has text in their place. They beat the others, since ExifTool takes decimal commas of
    /// such text for separators.
    case writtenLatitude = "EXIF:WrittenGPSLatitude"
    case writtenLongitude = "EXIF:WrittenGPSLongitude"
    case writtenTime = "EXIF:WrittenGPSTimeStamp"

    // MARK: What makers add

    case makerLensModel = "MakerNotes:LensModel"
    case makerSerialNumber = "MakerNotes:SerialNumber"
    case makerInternalSerialNumber = "MakerNotes:InternalSerialNumber"
    /// Apple's ContentIdentifier: ExifTool 12.19 to 13 calls it so.
    case mediaGroup = "MakerNotes:MediaGroupUUID"
    case makerContentIdentifier = "MakerNotes:ContentIdentifier"
    /// Apple's.
    case burst = "MakerNotes:BurstUUID"

    // MARK: XMP and text

    case xmpMake = "XMP:Make"
    case xmpModel = "XMP:Model"
    case xmpLensModel = "XMP:LensModel"
    case xmpSerialNumber = "XMP:SerialNumber"
    case xmpOrientation = "XMP:Orientation"
    case xmpDateTimeOriginal = "XMP:DateTimeOriginal"
    case xmpDateCreated = "XMP:DateCreated"
    case xmpCreateDate = "XMP:CreateDate"
    case xmpDateTimeDigitized = "XMP:DateTimeDigitized"
    /// Degrees with sign, north and east positive.
    case xmpLatitude = "XMP:GPSLatitude"
    case xmpLongitude = "XMP:GPSLongitude"
    /// Not of XMP's standard: `S` and `W` tell the sign of a number that has none.
    case xmpLatitudeRef = "XMP:GPSLatitudeRef"
    case xmpLongitudeRef = "XMP:GPSLongitudeRef"
    case xmpAltitude = "XMP:GPSAltitude"
    case xmpAltitudeRef = "XMP:GPSAltitudeRef"
    /// UTC.
    case xmpGPSDateTime = "XMP:GPSDateTime"
    case xmpBurst = "XMP:BurstID"
    case xmpCameraBurst = "XMP:CameraBurstID"
    /// 1: the file has a film behind its picture.
    case motionPhoto = "XMP:MotionPhoto"
    case microVideo = "XMP:MicroVideo"
    /// Bytes from the file's end back to the film's beginning.
    case microVideoOffset = "XMP:MicroVideoOffset"
    /// Of each part of the file, as values of their own or joined by ", ": `Primary`, `GainMap`, `MotionPhoto` …
    case itemSemantic = "XMP:DirectoryItemSemantic"
    /// Of each part, bytes; the first part's may be left out.
    case itemLength = "XMP:DirectoryItemLength"
    /// Of the text chunk `Creation Time`.
    case pngCreationTime = "PNG:CreationTime"

    // MARK: Films

    /// With the offset of the place.
    case keysCreationDate = "Keys:CreationDate"
    case keysMake = "Keys:Make"
    case keysModel = "Keys:Model"
    /// Latitude, longitude and perhaps altitude, with signs, separated by blanks.
    case keysCoordinates = "Keys:GPSCoordinates"
    case keysContentIdentifier = "Keys:ContentIdentifier"
    case userMake = "UserData:Make"
    case userModel = "UserData:Model"
    case userCoordinates = "UserData:GPSCoordinates"
    /// 3GPP's box `loci`, which FFmpeg and Android write in MP4: `NAME Role=shooting Lat=52.5 Lon=13.4 Alt=30.00 …`.
    case userLocation = "UserData:LocationInformation"
    /// ISO 6709 as FFmpeg copies it: `+52.5000+013.4000+030.000/`.
    case keysLocation = "Keys:Location"
    case matroskaLocation = "Matroska:Location"
    case userContentCreateDate = "UserData:ContentCreateDate"
    /// On the camera's clock.
    case userDateTimeOriginal = "UserData:DateTimeOriginal"
    case itemMake = "ItemList:Make"
    case itemModel = "ItemList:Model"
    case itemCoordinates = "ItemList:GPSCoordinates"
    case itemContentCreateDate = "ItemList:ContentCreateDate"
    /// Sony's, in XML.
    case xmlCreationDate = "XML:CreationDateValue"
    case xmlMake = "XML:DeviceManufacturer"
    case xmlModel = "XML:DeviceModelName"
    case xmlSerialNumber = "XML:DeviceSerialNo"
    /// UTC by the standard.
    case quickTimeCreateDate = "QuickTime:CreateDate"
    case trackCreateDate = "Track:MediaCreateDate"
    case riffDateTimeOriginal = "RIFF:DateTimeOriginal"
    case matroskaDateTimeOriginal = "Matroska:DateTimeOriginal"
    case h264DateTimeOriginal = "H264:DateTimeOriginal"
    /// A number; only those of AVCHD are known.
    case h264Make = "H264:Make"
    case h264Model = "H264:Model"
    /// Degrees without sign, and the hemispheres' letters.
    case h264Latitude = "H264:GPSLatitude"
    case h264LatitudeRef = "H264:GPSLatitudeRef"
    case h264Longitude = "H264:GPSLongitude"
    case h264LongitudeRef = "H264:GPSLongitudeRef"
    case asfCreationDate = "ASF:CreationDate"
    /// Pixels as coded, of each track that has any.
    case sourceWidth = "Track:SourceImageWidth"
    case sourceHeight = "Track:SourceImageHeight"
    /// Degrees: of a HEIF picture anticlockwise, of each picture that says so.
    case rotation = "QuickTime:Rotation"
    /// Bytes of the film in a HEIF Motion Photo, inside ExifTool's words for binary data.
    case motionPhotoVideo = "QuickTime:MotionPhotoVideo"
    /// Seconds.
    case quickTimeDuration = "QuickTime:Duration"
    case matroskaDuration = "Matroska:Duration"
    case transportStreamDuration = "M2TS:Duration"
    case asfDuration = "ASF:Duration"
    case gifDuration = "GIF:Duration"

    // MARK: What ExifTool and FFmpeg make of several

    /// Width and height of the main picture as stored, separated by a blank.
    case imageSize = "Composite:ImageSize"
    /// Degrees clockwise by which a film is turned for display.
    case filmRotation = "Composite:Rotation"
    case compositeDuration = "Composite:Duration"
    /// Own: ``FFprobe`` fills them. Pixels as coded, degrees anticlockwise, seconds.
    case probedWidth = "FFprobe:Width"
    case probedHeight = "FFprobe:Height"
    case probedRotation = "FFprobe:Rotation"
    case probedDuration = "FFprobe:Duration"
}
