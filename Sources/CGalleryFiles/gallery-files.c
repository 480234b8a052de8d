// The files of the gallery as bytes of the binary, read by C23's #embed when this file is compiled. SwiftPM's own
// .embedInCode knows files by their last name alone, and there is a words.js in more than one folder.
//
// Written by Scripts/list-gallery; a test compares it with the folder.

#include "CGalleryFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char adding_adding_css[] = {
#embed "../WebGallery/Resources/adding/adding.css"
};
static const unsigned char adding_arrived_js[] = {
#embed "../WebGallery/Resources/adding/arrived.js"
};
static const unsigned char adding_bar_js[] = {
#embed "../WebGallery/Resources/adding/bar.js"
};
static const unsigned char adding_drop_js[] = {
#embed "../WebGallery/Resources/adding/drop.js"
};
static const unsigned char adding_hash_worker_js[] = {
#embed "../WebGallery/Resources/adding/hash-worker.js"
};
static const unsigned char adding_hasher_js[] = {
#embed "../WebGallery/Resources/adding/hasher.js"
};
static const unsigned char adding_hashing_js[] = {
#embed "../WebGallery/Resources/adding/hashing.js"
};
static const unsigned char adding_memory_js[] = {
#embed "../WebGallery/Resources/adding/memory.js"
};
static const unsigned char adding_queue_js[] = {
#embed "../WebGallery/Resources/adding/queue.js"
};
static const unsigned char adding_sheet_js[] = {
#embed "../WebGallery/Resources/adding/sheet.js"
};
static const unsigned char adding_transport_js[] = {
#embed "../WebGallery/Resources/adding/transport.js"
};
static const unsigned char adding_tus_js[] = {
#embed "../WebGallery/Resources/adding/tus.js"
};
static const unsigned char adding_uploader_js[] = {
#embed "../WebGallery/Resources/adding/uploader.js"
};
static const unsigned char adding_words_js[] = {
#embed "../WebGallery/Resources/adding/words.js"
};
static const unsigned char exported_addresses_js[] = {
#embed "../WebGallery/Resources/exported/addresses.js"
};
static const unsigned char exported_api_js[] = {
#embed "../WebGallery/Resources/exported/api.js"
};
static const unsigned char exported_exported_album_js[] = {
#embed "../WebGallery/Resources/exported/exported-album.js"
};
static const unsigned char exported_icons_js[] = {
#embed "../WebGallery/Resources/exported/icons.js"
};
static const unsigned char exported_live_js[] = {
#embed "../WebGallery/Resources/exported/live.js"
};
static const unsigned char exported_page_css[] = {
#embed "../WebGallery/Resources/exported/page.css"
};
static const unsigned char exported_page_js[] = {
#embed "../WebGallery/Resources/exported/page.js"
};
static const unsigned char exported_picture_loader_js[] = {
#embed "../WebGallery/Resources/exported/picture-loader.js"
};
static const unsigned char exported_records_js[] = {
#embed "../WebGallery/Resources/exported/records.js"
};
static const unsigned char gallery_album_page_js[] = {
#embed "../WebGallery/Resources/gallery/album-page.js"
};
static const unsigned char gallery_album_source_js[] = {
#embed "../WebGallery/Resources/gallery/album-source.js"
};
static const unsigned char gallery_album_css[] = {
#embed "../WebGallery/Resources/gallery/album.css"
};
static const unsigned char gallery_albums_page_js[] = {
#embed "../WebGallery/Resources/gallery/albums-page.js"
};
static const unsigned char gallery_albums_css[] = {
#embed "../WebGallery/Resources/gallery/albums.css"
};
static const unsigned char gallery_albums_js[] = {
#embed "../WebGallery/Resources/gallery/albums.js"
};
static const unsigned char gallery_comment_room_js[] = {
#embed "../WebGallery/Resources/gallery/comment-room.js"
};
static const unsigned char gallery_filters_js[] = {
#embed "../WebGallery/Resources/gallery/filters.js"
};
static const unsigned char gallery_grid_js[] = {
#embed "../WebGallery/Resources/gallery/grid.js"
};
static const unsigned char gallery_late_thumbnails_js[] = {
#embed "../WebGallery/Resources/gallery/late-thumbnails.js"
};
static const unsigned char gallery_layout_js[] = {
#embed "../WebGallery/Resources/gallery/layout.js"
};
static const unsigned char gallery_month_loader_js[] = {
#embed "../WebGallery/Resources/gallery/month-loader.js"
};
static const unsigned char gallery_newcomers_js[] = {
#embed "../WebGallery/Resources/gallery/newcomers.js"
};
static const unsigned char gallery_page_services_js[] = {
#embed "../WebGallery/Resources/gallery/page-services.js"
};
static const unsigned char gallery_photos_js[] = {
#embed "../WebGallery/Resources/gallery/photos.js"
};
static const unsigned char gallery_picture_loader_js[] = {
#embed "../WebGallery/Resources/gallery/picture-loader.js"
};
static const unsigned char gallery_recent_js[] = {
#embed "../WebGallery/Resources/gallery/recent.js"
};
static const unsigned char gallery_removal_js[] = {
#embed "../WebGallery/Resources/gallery/removal.js"
};
static const unsigned char gallery_renditions_js[] = {
#embed "../WebGallery/Resources/gallery/renditions.js"
};
static const unsigned char gallery_scrubber_js[] = {
#embed "../WebGallery/Resources/gallery/scrubber.js"
};
static const unsigned char gallery_sections_js[] = {
#embed "../WebGallery/Resources/gallery/sections.js"
};
static const unsigned char gallery_selection_js[] = {
#embed "../WebGallery/Resources/gallery/selection.js"
};
static const unsigned char gallery_tags_js[] = {
#embed "../WebGallery/Resources/gallery/tags.js"
};
static const unsigned char gallery_take_home_choices_js[] = {
#embed "../WebGallery/Resources/gallery/take-home-choices.js"
};
static const unsigned char gallery_take_home_js[] = {
#embed "../WebGallery/Resources/gallery/take-home.js"
};
static const unsigned char gallery_tiles_js[] = {
#embed "../WebGallery/Resources/gallery/tiles.js"
};
static const unsigned char gallery_viewer_panel_js[] = {
#embed "../WebGallery/Resources/gallery/viewer-panel.js"
};
static const unsigned char gallery_viewer_slide_js[] = {
#embed "../WebGallery/Resources/gallery/viewer-slide.js"
};
static const unsigned char gallery_viewer_stage_js[] = {
#embed "../WebGallery/Resources/gallery/viewer-stage.js"
};
static const unsigned char gallery_viewer_strip_js[] = {
#embed "../WebGallery/Resources/gallery/viewer-strip.js"
};
static const unsigned char gallery_viewer_css[] = {
#embed "../WebGallery/Resources/gallery/viewer.css"
};
static const unsigned char gallery_viewer_js[] = {
#embed "../WebGallery/Resources/gallery/viewer.js"
};
static const unsigned char gallery_zoom_js[] = {
#embed "../WebGallery/Resources/gallery/zoom.js"
};
static const unsigned char icons_svg[] = {
#embed "../WebGallery/Resources/icons.svg"
};
static const unsigned char joining_fragment_js[] = {
#embed "../WebGallery/Resources/joining/fragment.js"
};
static const unsigned char joining_join_js[] = {
#embed "../WebGallery/Resources/joining/join.js"
};
static const unsigned char joining_joining_css[] = {
#embed "../WebGallery/Resources/joining/joining.css"
};
static const unsigned char joining_moving_plan_js[] = {
#embed "../WebGallery/Resources/joining/moving-plan.js"
};
static const unsigned char joining_moving_js[] = {
#embed "../WebGallery/Resources/joining/moving.js"
};
static const unsigned char joining_open_js[] = {
#embed "../WebGallery/Resources/joining/open.js"
};
static const unsigned char joining_probe_js[] = {
#embed "../WebGallery/Resources/joining/probe.js"
};
static const unsigned char joining_qr_js[] = {
#embed "../WebGallery/Resources/joining/qr.js"
};
static const unsigned char owner_acting_js[] = {
#embed "../WebGallery/Resources/owner/acting.js"
};
static const unsigned char owner_cards_css[] = {
#embed "../WebGallery/Resources/owner/cards.css"
};
static const unsigned char owner_cards_js[] = {
#embed "../WebGallery/Resources/owner/cards.js"
};
static const unsigned char owner_check_card_js[] = {
#embed "../WebGallery/Resources/owner/check-card.js"
};
static const unsigned char owner_owner_css[] = {
#embed "../WebGallery/Resources/owner/owner.css"
};
static const unsigned char owner_owner_js[] = {
#embed "../WebGallery/Resources/owner/owner.js"
};
static const unsigned char owner_people_cards_js[] = {
#embed "../WebGallery/Resources/owner/people-cards.js"
};
static const unsigned char owner_plain_js[] = {
#embed "../WebGallery/Resources/owner/plain.js"
};
static const unsigned char owner_status_card_js[] = {
#embed "../WebGallery/Resources/owner/status-card.js"
};
static const unsigned char owner_storage_cards_js[] = {
#embed "../WebGallery/Resources/owner/storage-cards.js"
};
static const unsigned char owner_wifi_js[] = {
#embed "../WebGallery/Resources/owner/wifi.js"
};
static const unsigned char potluck_svg[] = {
#embed "../WebGallery/Resources/potluck.svg"
};
static const unsigned char shared_addresses_js[] = {
#embed "../WebGallery/Resources/shared/addresses.js"
};
static const unsigned char shared_api_js[] = {
#embed "../WebGallery/Resources/shared/api.js"
};
static const unsigned char shared_dates_js[] = {
#embed "../WebGallery/Resources/shared/dates.js"
};
static const unsigned char shared_dialog_js[] = {
#embed "../WebGallery/Resources/shared/dialog.js"
};
static const unsigned char shared_elements_js[] = {
#embed "../WebGallery/Resources/shared/elements.js"
};
static const unsigned char shared_event_stream_js[] = {
#embed "../WebGallery/Resources/shared/event-stream.js"
};
static const unsigned char shared_icons_js[] = {
#embed "../WebGallery/Resources/shared/icons.js"
};
static const unsigned char shared_ids_js[] = {
#embed "../WebGallery/Resources/shared/ids.js"
};
static const unsigned char shared_live_js[] = {
#embed "../WebGallery/Resources/shared/live.js"
};
static const unsigned char shared_long_work_js[] = {
#embed "../WebGallery/Resources/shared/long-work.js"
};
static const unsigned char shared_motion_js[] = {
#embed "../WebGallery/Resources/shared/motion.js"
};
static const unsigned char shared_notice_js[] = {
#embed "../WebGallery/Resources/shared/notice.js"
};
static const unsigned char shared_people_js[] = {
#embed "../WebGallery/Resources/shared/people.js"
};
static const unsigned char shared_session_js[] = {
#embed "../WebGallery/Resources/shared/session.js"
};
static const unsigned char shared_sha256_js[] = {
#embed "../WebGallery/Resources/shared/sha256.js"
};
static const unsigned char shared_store_js[] = {
#embed "../WebGallery/Resources/shared/store.js"
};
static const unsigned char shared_words_js[] = {
#embed "../WebGallery/Resources/shared/words.js"
};
static const unsigned char style_base_css[] = {
#embed "../WebGallery/Resources/style/base.css"
};
static const unsigned char style_components_css[] = {
#embed "../WebGallery/Resources/style/components.css"
};
static const unsigned char style_tokens_css[] = {
#embed "../WebGallery/Resources/style/tokens.css"
};
static const unsigned char templates_album_html[] = {
#embed "../WebGallery/Resources/templates/album.html"
};
static const unsigned char templates_albums_html[] = {
#embed "../WebGallery/Resources/templates/albums.html"
};
static const unsigned char templates_cards_html[] = {
#embed "../WebGallery/Resources/templates/cards.html"
};
static const unsigned char templates_first_run_html[] = {
#embed "../WebGallery/Resources/templates/first-run.html"
};
static const unsigned char templates_join_html[] = {
#embed "../WebGallery/Resources/templates/join.html"
};
static const unsigned char templates_message_html[] = {
#embed "../WebGallery/Resources/templates/message.html"
};
static const unsigned char templates_onward_html[] = {
#embed "../WebGallery/Resources/templates/onward.html"
};
static const unsigned char templates_open_html[] = {
#embed "../WebGallery/Resources/templates/open.html"
};
static const unsigned char templates_owner_html[] = {
#embed "../WebGallery/Resources/templates/owner.html"
};
static const unsigned char templates_part_album_html[] = {
#embed "../WebGallery/Resources/templates/part-album.html"
};
static const unsigned char templates_part_day_html[] = {
#embed "../WebGallery/Resources/templates/part-day.html"
};
static const unsigned char templates_part_first_run_choice_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-choice.html"
};
static const unsigned char templates_part_first_run_entered_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-entered.html"
};
static const unsigned char templates_part_first_run_fields_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-fields.html"
};
static const unsigned char templates_part_first_run_join_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-join.html"
};
static const unsigned char templates_part_first_run_recovery_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-recovery.html"
};
static const unsigned char templates_part_first_run_start_html[] = {
#embed "../WebGallery/Resources/templates/part-first-run-start.html"
};
static const unsigned char templates_part_page_html[] = {
#embed "../WebGallery/Resources/templates/part-page.html"
};
static const unsigned char templates_part_photo_html[] = {
#embed "../WebGallery/Resources/templates/part-photo.html"
};
static const unsigned char templates_part_words_html[] = {
#embed "../WebGallery/Resources/templates/part-words.html"
};
static const unsigned char templates_photo_html[] = {
#embed "../WebGallery/Resources/templates/photo.html"
};
static const unsigned char templates_probe_html[] = {
#embed "../WebGallery/Resources/templates/probe.html"
};
static const unsigned char templates_wall_html[] = {
#embed "../WebGallery/Resources/templates/wall.html"
};
static const unsigned char wall_arrivals_js[] = {
#embed "../WebGallery/Resources/wall/arrivals.js"
};
static const unsigned char wall_controls_js[] = {
#embed "../WebGallery/Resources/wall/controls.js"
};
static const unsigned char wall_link_js[] = {
#embed "../WebGallery/Resources/wall/link.js"
};
static const unsigned char wall_photos_js[] = {
#embed "../WebGallery/Resources/wall/photos.js"
};
static const unsigned char wall_pictures_js[] = {
#embed "../WebGallery/Resources/wall/pictures.js"
};
static const unsigned char wall_schedule_js[] = {
#embed "../WebGallery/Resources/wall/schedule.js"
};
static const unsigned char wall_slide_js[] = {
#embed "../WebGallery/Resources/wall/slide.js"
};
static const unsigned char wall_wall_css[] = {
#embed "../WebGallery/Resources/wall/wall.css"
};
static const unsigned char wall_wall_js[] = {
#embed "../WebGallery/Resources/wall/wall.js"
};
static const unsigned char wall_words_js[] = {
#embed "../WebGallery/Resources/wall/words.js"
};

#define FILE(path, bytes) {path, bytes, sizeof bytes}

static const struct gallery_file files[] = {
    FILE("adding/adding.css", adding_adding_css),
    FILE("adding/arrived.js", adding_arrived_js),
    FILE("adding/bar.js", adding_bar_js),
    FILE("adding/drop.js", adding_drop_js),
    FILE("adding/hash-worker.js", adding_hash_worker_js),
    FILE("adding/hasher.js", adding_hasher_js),
    FILE("adding/hashing.js", adding_hashing_js),
    FILE("adding/memory.js", adding_memory_js),
    FILE("adding/queue.js", adding_queue_js),
    FILE("adding/sheet.js", adding_sheet_js),
    FILE("adding/transport.js", adding_transport_js),
    FILE("adding/tus.js", adding_tus_js),
    FILE("adding/uploader.js", adding_uploader_js),
    FILE("adding/words.js", adding_words_js),
    FILE("exported/addresses.js", exported_addresses_js),
    FILE("exported/api.js", exported_api_js),
    FILE("exported/exported-album.js", exported_exported_album_js),
    FILE("exported/icons.js", exported_icons_js),
    FILE("exported/live.js", exported_live_js),
    FILE("exported/page.css", exported_page_css),
    FILE("exported/page.js", exported_page_js),
    FILE("exported/picture-loader.js", exported_picture_loader_js),
    FILE("exported/records.js", exported_records_js),
    FILE("gallery/album-page.js", gallery_album_page_js),
    FILE("gallery/album-source.js", gallery_album_source_js),
    FILE("gallery/album.css", gallery_album_css),
    FILE("gallery/albums-page.js", gallery_albums_page_js),
    FILE("gallery/albums.css", gallery_albums_css),
    FILE("gallery/albums.js", gallery_albums_js),
    FILE("gallery/comment-room.js", gallery_comment_room_js),
    FILE("gallery/filters.js", gallery_filters_js),
    FILE("gallery/grid.js", gallery_grid_js),
    FILE("gallery/late-thumbnails.js", gallery_late_thumbnails_js),
    FILE("gallery/layout.js", gallery_layout_js),
    FILE("gallery/month-loader.js", gallery_month_loader_js),
    FILE("gallery/newcomers.js", gallery_newcomers_js),
    FILE("gallery/page-services.js", gallery_page_services_js),
    FILE("gallery/photos.js", gallery_photos_js),
    FILE("gallery/picture-loader.js", gallery_picture_loader_js),
    FILE("gallery/recent.js", gallery_recent_js),
    FILE("gallery/removal.js", gallery_removal_js),
    FILE("gallery/renditions.js", gallery_renditions_js),
    FILE("gallery/scrubber.js", gallery_scrubber_js),
    FILE("gallery/sections.js", gallery_sections_js),
    FILE("gallery/selection.js", gallery_selection_js),
    FILE("gallery/tags.js", gallery_tags_js),
    FILE("gallery/take-home-choices.js", gallery_take_home_choices_js),
    FILE("gallery/take-home.js", gallery_take_home_js),
    FILE("gallery/tiles.js", gallery_tiles_js),
    FILE("gallery/viewer-panel.js", gallery_viewer_panel_js),
    FILE("gallery/viewer-slide.js", gallery_viewer_slide_js),
    FILE("gallery/viewer-stage.js", gallery_viewer_stage_js),
    FILE("gallery/viewer-strip.js", gallery_viewer_strip_js),
    FILE("gallery/viewer.css", gallery_viewer_css),
    FILE("gallery/viewer.js", gallery_viewer_js),
    FILE("gallery/zoom.js", gallery_zoom_js),
    FILE("icons.svg", icons_svg),
    FILE("joining/fragment.js", joining_fragment_js),
    FILE("joining/join.js", joining_join_js),
    FILE("joining/joining.css", joining_joining_css),
    FILE("joining/moving-plan.js", joining_moving_plan_js),
    FILE("joining/moving.js", joining_moving_js),
    FILE("joining/open.js", joining_open_js),
    FILE("joining/probe.js", joining_probe_js),
    FILE("joining/qr.js", joining_qr_js),
    FILE("owner/acting.js", owner_acting_js),
    FILE("owner/cards.css", owner_cards_css),
    FILE("owner/cards.js", owner_cards_js),
    FILE("owner/check-card.js", owner_check_card_js),
    FILE("owner/owner.css", owner_owner_css),
    FILE("owner/owner.js", owner_owner_js),
    FILE("owner/people-cards.js", owner_people_cards_js),
    FILE("owner/plain.js", owner_plain_js),
    FILE("owner/status-card.js", owner_status_card_js),
    FILE("owner/storage-cards.js", owner_storage_cards_js),
    FILE("owner/wifi.js", owner_wifi_js),
    FILE("potluck.svg", potluck_svg),
    FILE("shared/addresses.js", shared_addresses_js),
    FILE("shared/api.js", shared_api_js),
    FILE("shared/dates.js", shared_dates_js),
    FILE("shared/dialog.js", shared_dialog_js),
    FILE("shared/elements.js", shared_elements_js),
    FILE("shared/event-stream.js", shared_event_stream_js),
    FILE("shared/icons.js", shared_icons_js),
    FILE("shared/ids.js", shared_ids_js),
    FILE("shared/live.js", shared_live_js),
    FILE("shared/long-work.js", shared_long_work_js),
    FILE("shared/motion.js", shared_motion_js),
    FILE("shared/notice.js", shared_notice_js),
    FILE("shared/people.js", shared_people_js),
    FILE("shared/session.js", shared_session_js),
    FILE("shared/sha256.js", shared_sha256_js),
    FILE("shared/store.js", shared_store_js),
    FILE("shared/words.js", shared_words_js),
    FILE("style/base.css", style_base_css),
    FILE("style/components.css", style_components_css),
    FILE("style/tokens.css", style_tokens_css),
    FILE("templates/album.html", templates_album_html),
    FILE("templates/albums.html", templates_albums_html),
    FILE("templates/cards.html", templates_cards_html),
    FILE("templates/first-run.html", templates_first_run_html),
    FILE("templates/join.html", templates_join_html),
    FILE("templates/message.html", templates_message_html),
    FILE("templates/onward.html", templates_onward_html),
    FILE("templates/open.html", templates_open_html),
    FILE("templates/owner.html", templates_owner_html),
    FILE("templates/part-album.html", templates_part_album_html),
    FILE("templates/part-day.html", templates_part_day_html),
    FILE("templates/part-first-run-choice.html", templates_part_first_run_choice_html),
    FILE("templates/part-first-run-entered.html", templates_part_first_run_entered_html),
    FILE("templates/part-first-run-fields.html", templates_part_first_run_fields_html),
    FILE("templates/part-first-run-join.html", templates_part_first_run_join_html),
    FILE("templates/part-first-run-recovery.html", templates_part_first_run_recovery_html),
    FILE("templates/part-first-run-start.html", templates_part_first_run_start_html),
    FILE("templates/part-page.html", templates_part_page_html),
    FILE("templates/part-photo.html", templates_part_photo_html),
    FILE("templates/part-words.html", templates_part_words_html),
    FILE("templates/photo.html", templates_photo_html),
    FILE("templates/probe.html", templates_probe_html),
    FILE("templates/wall.html", templates_wall_html),
    FILE("wall/arrivals.js", wall_arrivals_js),
    FILE("wall/controls.js", wall_controls_js),
    FILE("wall/link.js", wall_link_js),
    FILE("wall/photos.js", wall_photos_js),
    FILE("wall/pictures.js", wall_pictures_js),
    FILE("wall/schedule.js", wall_schedule_js),
    FILE("wall/slide.js", wall_slide_js),
    FILE("wall/wall.css", wall_wall_css),
    FILE("wall/wall.js", wall_wall_js),
    FILE("wall/words.js", wall_words_js),
};

const struct gallery_file *gallery_files(void) { return files; }

size_t gallery_file_count(void) { return sizeof files / sizeof files[0]; }
