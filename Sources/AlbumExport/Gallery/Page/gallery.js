"use strict";

// Shows one photo at a time over the wall of pictures. Without it each picture is a link to its file.
// What is shown is in the address after #, so that the way back of a phone leads back to the wall.
(() => {
    const tiles = Array.from(document.querySelectorAll(".tile"));
    const indexes = new Map(tiles.map((tile, index) => [tile.dataset.id, index]));
    const find = id => document.getElementById(id);
    const [box, stage, previous, next, move, open] = ["box", "stage", "previous", "next", "move", "open"].map(find);
    // The address of the wall: no element has that name, so nothing scrolls.
    const wall = "#album";
    let shown = -1;
    let cameFromWall = false;

    function element(name, properties) {
        return Object.assign(document.createElement(name), properties);
    }

    function say(text) {
        stage.querySelector("p")?.remove();
        stage.append(element("p", { textContent: text }));
    }

    // The small picture stands in until the large one is there.
    function showPicture(tile) {
        const small = tile.querySelector("img");
        const words = small ? small.alt : tile.textContent;
        if (small) stage.replaceChildren(element("img", { src: small.src, alt: words }));
        const source = tile.dataset.view || tile.href;
        if (!source) return say("This file is not part of this export.");
        const large = element("img", { alt: words });
        const index = shown;
        large.onload = () => { if (shown === index) stage.replaceChildren(large); };
        large.onerror = () => {
            if (shown === index) say("This browser cannot show this picture. “Open the file” may, with another program.");
        };
        large.src = source;
    }

    function showVideo(source, tile, plays) {
        const video = element("video", { src: source, controls: true, playsInline: true, preload: "metadata" });
        const small = tile.querySelector("img");
        if (small) video.poster = small.src;
        video.setAttribute("aria-label", small ? small.alt : tile.textContent);
        video.onerror = () => say("This browser cannot play this video. “Open the file” may, with another program.");
        stage.replaceChildren(video);
        // Where the browser wants another touch first, its own button is there.
        if (plays) video.play().catch(() => {});
        return video;
    }

    function preload(index) {
        const tile = tiles[index];
        const source = tile && tile.dataset.kind !== "video" && (tile.dataset.view || tile.href);
        if (source) new Image().src = source;
    }

    function show(index, plays) {
        const tile = tiles[index];
        shown = index;
        stage.replaceChildren();
        if (tile.dataset.kind === "video" && tile.href) showVideo(tile.href, tile, plays); else showPicture(tile);
        find("caption").textContent = tile.dataset.caption || "";
        find("about").textContent = tile.dataset.about;
        find("count").textContent = `${index + 1} of ${tiles.length}`;
        open.hidden = !tile.href;
        if (tile.href) open.href = tile.href;
        move.hidden = !tile.dataset.moving;
        move.setAttribute("aria-pressed", "false");
        previous.disabled = index === 0;
        next.disabled = index === tiles.length - 1;
        previous.hidden = previous.disabled;
        next.hidden = next.disabled;
        if (!box.open) box.showModal();
        preload(index + 1);
        preload(index - 1);
    }

    function go(index) {
        if (index < 0 || index >= tiles.length || index === shown) return;
        location.replace("#" + tiles[index].dataset.id);
    }

    function leave() {
        if (cameFromWall) history.back(); else location.replace(wall);
    }

    function close() {
        if (!box.open) return;
        const tile = tiles[shown];
        shown = -1;
        cameFromWall = false;
        stage.replaceChildren();
        box.close();
        tile.focus({ preventScroll: true });
        tile.scrollIntoView({ block: "nearest" });
    }

    // The address says what is shown, whoever changed it.
    function follow(event) {
        const index = indexes.get(location.hash.slice(1));
        if (index === undefined) close(); else show(index, event !== undefined);
    }

    tiles.forEach(tile => tile.addEventListener("click", event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        cameFromWall = true;
        location.hash = tile.dataset.id;
    }));
    // Pictures whose file is missing are no links, and browsers do nothing with their keys.
    tiles.filter(tile => !tile.href).forEach(tile => tile.addEventListener("keydown", event => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        tile.click();
    }));
    previous.addEventListener("click", () => go(shown - 1));
    next.addEventListener("click", () => go(shown + 1));
    find("close").addEventListener("click", leave);
    box.addEventListener("cancel", event => {
        event.preventDefault();
        leave();
    });

    move.addEventListener("click", () => {
        const tile = tiles[shown];
        const plays = move.getAttribute("aria-pressed") !== "true";
        move.setAttribute("aria-pressed", String(plays));
        if (!plays) return showPicture(tile);
        showVideo(tile.dataset.moving, tile, true).onended = () => {
            move.setAttribute("aria-pressed", "false");
            showPicture(tile);
        };
    });

    box.addEventListener("keydown", event => {
        // A video's own keys wind it.
        if (event.target instanceof HTMLVideoElement || event.ctrlKey || event.metaKey || event.altKey) return;
        const target = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: tiles.length - 1 }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        go(target);
    });

    const isZoomed = () => window.visualViewport !== undefined && visualViewport.scale > 1.01;
    let touch = null;
    stage.addEventListener("touchstart", event => {
        const isOne = event.touches.length === 1 && !isZoomed();
        // The lower edge of a video has its controls.
        const isControl = event.target instanceof HTMLVideoElement
            && event.touches[0].clientY > stage.getBoundingClientRect().bottom - 80;
        touch = isOne && !isControl ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
    }, { passive: true });
    stage.addEventListener("touchend", event => {
        if (!touch) return;
        const x = event.changedTouches[0].clientX - touch.x;
        const y = event.changedTouches[0].clientY - touch.y;
        touch = null;
        if (Math.abs(x) > 48 && Math.abs(x) > 1.5 * Math.abs(y)) go(shown + (x < 0 ? 1 : -1));
        else if (y > 96 && y > 1.5 * Math.abs(x)) leave();
    }, { passive: true });

    // What is zoomed in is moved with one finger.
    window.visualViewport?.addEventListener("resize", () => {
        stage.style.touchAction = isZoomed() ? "auto" : "";
    });

    window.addEventListener("hashchange", follow);
    follow();
})();
