// The way in: players that need no script but the element's. With ?t=MS they stand still at that time, to be compared.
import "../../studio/packages/zoetrope/dist/element.js";

const still = new URLSearchParams(location.search).get("t");
for (const player of document.querySelectorAll("zoetrope-player")) {
    const slits = player.closest("a").querySelector(".slits");
    if (still !== null) {
        player.paused = true;
        player.addEventListener("ready", () => queueMicrotask(() => player.seek(Number(still))));
    }
    const show = () => {
        slits.style.setProperty("--at", `${player.now / 100 % 100}%`); // ten seconds once along the drum
        if (player.playing || still !== null) { requestAnimationFrame(show); } else { setTimeout(show, 250); }
    };
    show();
}
