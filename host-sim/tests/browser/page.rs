//! The page by touch, by keys and by clicks without a pointer; its links, cards and files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command as Program;
use std::sync::Mutex;

use dojo_core::bank::Bank;
use dojo_core::game::GameMove;
use dojo_core::games::sticks::Take;
use dojo_handheld::crest::crest;
use dojo_lab::bank::SHIPPED;
use serde_json::{Value, json};

use super::chromium::{Chromium, from_base64};
use super::{Site, compare_frames, folder, has_no_fault, open, screen_says, told, trace};

/// The windows that every game has to be playable in: phones upright and sideways, and a desktop.
const WINDOWS: [(u32, u32); 4] = [(390, 844), (844, 390), (320, 568), (1280, 800)];

const GAMES: [&str; 6] = [
    "15 sticks",
    "Tic-tac-toe",
    "Connect Four",
    "Dots and boxes",
    "Iwoki",
    "Go",
];

/// A window of this size; phones are touched, the desktop is clicked.
fn window(browser: &mut Chromium, (width, height): (u32, u32)) {
    let phone = width < 1000;
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    browser.call(
        "Emulation.setTouchEmulationEnabled",
        json!({"enabled": phone}),
    );
    settle(browser);
}

/// Lets two frames pass: one for a new layout, one for the picture in it.
fn settle(browser: &mut Chromium) {
    browser
        .value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

fn screen_name(browser: &mut Chromium) -> String {
    let name = browser.value("dojoPage.screenName()");
    name.as_str().unwrap_or_default().into()
}

/// What can be touched: the centre, in pixels of the picture, and the name of each thing.
fn touchables(browser: &mut Chromium) -> Vec<([i64; 2], String)> {
    let text = browser.value("dojoPage.touchables()");
    let lines = text.as_str().unwrap_or_default().lines();
    lines
        .map(|line| {
            let mut words = line.split(' ');
            let mut number = || words.next().unwrap().parse::<i64>().unwrap();
            let [x, y, width, height] = [(); 4].map(|()| number());
            ([x + width / 2, y + height / 2], words.collect())
        })
        .collect()
}

/// Touches or clicks a pixel of the picture, as large as it is on the page.
fn tap(browser: &mut Chromium, [x, y]: [i64; 2], touch: bool) {
    let at = browser.value(&format!(
        "(() => {{ const c = document.getElementById('screen'), r = c.getBoundingClientRect();
            return [r.x + ({x} + 0.5) * r.width / c.width, r.y + ({y} + 0.5) * r.height / c.height]; }})()"
    ));
    if touch {
        let point = json!([{"x": at[0], "y": at[1]}]);
        for (kind, points) in [("touchStart", point), ("touchEnd", json!([]))] {
            browser.call(
                "Input.dispatchTouchEvent",
                json!({"type": kind, "touchPoints": points}),
            );
        }
    } else {
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1});
            browser.call("Input.dispatchMouseEvent", event);
        }
    }
}

/// Scrolls a list by about a row: by a finger that moves up, or by the wheel of a mouse.
fn scroll(browser: &mut Chromium, touch: bool) {
    let at = browser.value(
        "(() => { const r = document.getElementById('screen').getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2, r.height / 8]; })()",
    );
    let [x, y, row] = [0, 1, 2].map(|i| at[i].as_f64().unwrap());
    if !touch {
        let wheel = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 100});
        browser.call("Input.dispatchMouseEvent", wheel);
        return;
    }
    for (kind, moved) in [("touchStart", 0.0), ("touchMove", row), ("touchEnd", row)] {
        let points = match kind {
            "touchEnd" => json!([]),
            _ => json!([{"x": x, "y": y - moved}]),
        };
        browser.call(
            "Input.dispatchTouchEvent",
            json!({"type": kind, "touchPoints": points}),
        );
    }
}

/// Touches the row of a list with these words.
fn tap_row(browser: &mut Chromium, words: &str, touch: bool) {
    let is_told = format!(
        "document.getElementById('told').textContent.split('\\n')
            .some((line) => line.replace('> ', '').startsWith('{words}'))"
    );
    // A long list shows a part of itself.
    browser.wait_for("document.getElementById('told').textContent.includes('> ')");
    for _ in 0..12 {
        settle(browser);
        if browser.value(&is_told) == json!(true) {
            break;
        }
        scroll(browser, touch);
    }
    browser.wait_for(&is_told);
    let told = told(browser);
    let lines: Vec<&str> = told.lines().collect();
    let find = |begin: &str| lines.iter().position(|line| line.starts_with(begin));
    let chosen = find("> ").expect("a list");
    let row = find(&format!("> {words}")).or_else(|| find(words));
    let name = format!("Row({})", row.expect("the row") as i64 - chosen as i64);
    let all = touchables(browser);
    let (at, _) = all.iter().find(|(_, known)| *known == name).expect("drawn");
    tap(browser, *at, touch);
}

/// Waits until a person can do something: the machine has moved, or the game is over.
pub(crate) fn wait_for_turn(browser: &mut Chromium) {
    browser
        .wait_for("dojoPage.screenName() !== 'board' || dojoPage.touchables().includes('Place')");
}

/// Plays a game to its result by touching the board. Returns the number of touches.
fn play_by_touch(browser: &mut Chromium, game: &str, touch: bool) -> usize {
    let mut taps = 0;
    while screen_name(browser) != "result" {
        assert!(taps < 400, "{game} does not end");
        wait_for_turn(browser);
        let spots = touchables(browser);
        let done = spots.iter().find(|(_, name)| name == "Item(0)");
        let places: Vec<_> = spots
            .iter()
            .filter(|(_, name)| name.starts_with("Place"))
            .collect();
        // Scoring is agreed on; Go passes after a while, which is its last place.
        let at = match (done, places.last()) {
            (Some((at, _)), _) => *at,
            (None, Some((at, _))) if game == "Go" && taps >= 8 => *at,
            (None, Some(_)) => places[((taps * 40503) >> 4) % places.len()].0,
            (None, None) => continue,
        };
        tap(browser, at, touch);
        taps += 1;
    }
    taps
}

fn start_by_touch(browser: &mut Chromium, game: &str, touch: bool) {
    tap(browser, [120, 120], touch);
    tap_row(browser, "All games", touch);
    tap_row(browser, game, touch);
    tap_row(browser, "Start", touch);
    browser.wait_for("dojoPage.screenName() === 'board'");
}

fn games_by_touch(size: (u32, u32)) {
    let site = Site::start();
    let name = format!("touch-{}x{}", size.0, size.1);
    let Some((mut browser, _)) = open(&name, &site, 3) else {
        return;
    };
    window(&mut browser, size);
    let touch = size.0 < 1000;
    for game in GAMES {
        browser.value("localStorage.clear()");
        browser.call("Page.reload", json!({}));
        browser.wait_for(&format!(
            "globalThis.dojoPage && {}",
            screen_says("Pocket Dojo")
        ));
        start_by_touch(&mut browser, game, touch);
        let taps = play_by_touch(&mut browser, game, touch);
        assert!(taps > 2, "{game}: {taps} touches");
        let frames = compare_frames(&trace(&mut browser));
        println!("{game} at {size:?}: {taps} touches, {frames} pictures compared");
    }
    has_no_fault(&browser, &site);
}

#[test]
fn every_game_is_played_by_touching_the_board_on_a_phone_held_upright() {
    games_by_touch(WINDOWS[0]);
}

#[test]
fn every_game_is_played_by_touching_the_board_on_a_phone_held_sideways() {
    games_by_touch(WINDOWS[1]);
}

#[test]
fn every_game_is_played_by_touching_the_board_on_a_small_phone() {
    games_by_touch(WINDOWS[2]);
}

#[test]
fn every_game_is_played_by_clicking_the_board_on_a_desktop() {
    games_by_touch(WINDOWS[3]);
}

/// Numbers of buttons, as the page has them.
const UP: usize = 0;
const DOWN: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;
const A: usize = 4;

/// Goes through a game with the buttons until its result, by a cycle of presses that reaches every
/// place of its board. `press` presses one button.
fn play_by_buttons(browser: &mut Chromium, game: &str, press: &dyn Fn(&mut Chromium, usize)) {
    let place = GAMES.iter().position(|name| *name == game).unwrap();
    press(browser, A);
    browser.wait_for("dojoPage.screenName() === 'menu'");
    press(browser, DOWN);
    press(browser, A);
    // The list begins at the game that was last played.
    while !told(browser).contains(&format!("> {}", GAMES[place])) {
        press(browser, DOWN);
        settle(browser);
    }
    press(browser, A);
    press(browser, A);
    browser.wait_for("dojoPage.screenName() === 'board'");
    let cycle: &[usize] = match game {
        "15 sticks" => &[A],
        "Connect Four" => &[A, RIGHT],
        "Tic-tac-toe" => &[A, RIGHT, A, RIGHT, A, RIGHT, UP],
        "Iwoki" => &[A, A, A, RIGHT],
        _ => &[A, RIGHT, A, RIGHT, A, DOWN],
    };
    for step in 0..2000 {
        wait_for_turn(browser);
        match screen_name(browser).as_str() {
            "result" => return,
            "scoring" => {
                for _ in 0..12 {
                    settle(browser);
                    if told(browser).contains("> Done") {
                        break;
                    }
                    press(browser, LEFT);
                }
                press(browser, A);
            }
            _ if game == "Go" && step > 12 => {
                // The button for passing is left of the first column.
                for _ in 0..12 {
                    settle(browser);
                    if told(browser).contains("> Pass") {
                        break;
                    }
                    press(browser, LEFT);
                }
                press(browser, A);
            }
            _ => press(browser, cycle[step % cycle.len()]),
        }
    }
    let (screen, told) = (screen_name(browser), told(browser));
    panic!("{game} does not end: {screen}\n{told}");
}

fn games_by_buttons(name: &str, press: &dyn Fn(&mut Chromium, usize)) {
    let site = Site::start();
    let Some((mut browser, _)) = open(name, &site, 4) else {
        return;
    };
    for game in GAMES {
        browser.value("localStorage.clear()");
        browser.call("Page.reload", json!({}));
        browser.wait_for(&format!(
            "globalThis.dojoPage && {}",
            screen_says("Pocket Dojo")
        ));
        play_by_buttons(&mut browser, game, press);
        let frames = compare_frames(&trace(&mut browser));
        println!("{game}: {frames} pictures compared");
    }
    has_no_fault(&browser, &site);
}

#[test]
fn every_game_is_played_by_keys_alone() {
    games_by_buttons("keys", &|browser, button| {
        let codes = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "KeyZ"];
        browser.key(codes[button]);
    });
}

#[test]
fn every_game_is_played_by_clicks_without_a_pointer() {
    games_by_buttons("clicks", &|browser, button| {
        browser.value(&format!(
            "document.querySelector('[data-button=\"{button}\"]').click()"
        ));
    });
}

/// Tab goes to a control, and Space or Enter works it.
#[test]
fn controls_work_with_tab_space_and_enter() {
    let site = Site::start();
    let Some((mut browser, _)) = open("tab", &site, 1) else {
        return;
    };
    let key = |browser: &mut Chromium, key: &str, code: &str, text: &str| {
        for kind in ["keyDown", "keyUp"] {
            browser.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": code, "text": text,
                    "windowsVirtualKeyCode": if code == "Tab" { 9 } else if code == "Space" { 32 } else { 13 }}),
            );
        }
    };
    let tab_to = |browser: &mut Chromium, id: &str| {
        for _ in 0..30 {
            if browser.value("document.activeElement.id || document.activeElement.dataset?.button")
                == json!(id)
            {
                return;
            }
            key(browser, "Tab", "Tab", "");
        }
        panic!("Tab does not reach {id}");
    };
    tab_to(&mut browser, "4");
    key(&mut browser, " ", "Space", " ");
    browser.wait_for("dojoPage.screenName() === 'menu'");
    tab_to(&mut browser, "more");
    key(&mut browser, "Enter", "Enter", "\r");
    browser.wait_for("document.getElementById('more-card').open");
    assert_eq!(screen_name(&mut browser), "menu", "Enter was the card's");
    tab_to(&mut browser, "card");
    key(&mut browser, " ", "Space", " ");
    browser.wait_for("document.getElementById('brain-card').open");
    key(&mut browser, "Escape", "Escape", "");
    browser.value("document.querySelector('#brain-card .close').click()");
    browser.wait_for("!document.querySelector('dialog[open]')");
    has_no_fault(&browser, &site);
}

#[test]
fn the_picture_fills_phones_and_everything_is_inside_the_window() {
    let site = Site::start();
    let Some((mut browser, _)) = open("sizes", &site, 2) else {
        return;
    };
    let pictures = folder("pictures");
    for (size, least) in WINDOWS.into_iter().zip([340, 345, 270, 480]) {
        window(&mut browser, size);
        let picture = browser.picture(size.0, size.1, 1);
        let name = format!("{}x{}.png", size.0, size.1);
        fs::write(pictures.join(name), picture).unwrap();
        let found = browser.value(
            "(() => { const box = (e) => e.getBoundingClientRect(), c = box(document.getElementById('screen'));
                const inside = (r) => r.left >= -1 && r.top >= -1 && r.right <= innerWidth + 1 && r.bottom <= innerHeight + 1;
                const all = [...document.querySelectorAll('#screen, [data-button], nav button:not([hidden])')];
                const keys = [...document.querySelectorAll('[data-button], nav button:not([hidden])')].map(box);
                const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                return [Math.min(c.width, c.height), all.every((e) => inside(box(e))),
                    keys.every((a, i) => keys.every((b, j) => i >= j || !touch(a, b)) && !touch(a, c)),
                    document.documentElement.scrollWidth <= innerWidth]; })()",
        );
        let side = found[0].as_f64().unwrap();
        println!("{size:?}: the picture is {side:.0} pixels wide");
        assert!(side >= f64::from(least), "{size:?}: {found}");
        assert_eq!(found[1], json!(true), "{size:?}: a control is outside");
        assert_eq!(found[2], json!(true), "{size:?}: controls overlap");
        assert_eq!(found[3], json!(true), "{size:?}: it scrolls sideways");
    }
}

#[test]
fn the_page_can_be_installed() {
    let site = Site::start();
    let Some((mut browser, _)) = open("install", &site, 1) else {
        return;
    };
    browser.value("navigator.serviceWorker.ready.then(() => 0)");
    let manifest = browser.call("Page.getAppManifest", json!({}));
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let faults = browser.call("Page.getInstallabilityErrors", json!({}));
    assert_eq!(faults["installabilityErrors"], json!([]));
    has_no_fault(&browser, &site);
}

#[test]
fn a_link_opens_the_same_game_elsewhere_and_harms_no_game_there() {
    let site = Site::start();
    let Some((mut browser, _)) = open("link-here", &site, 8) else {
        return;
    };
    start_by_touch(&mut browser, "Tic-tac-toe", false);
    play_by_touch(&mut browser, "Tic-tac-toe", false);
    browser.click("#share");
    browser.wait_for("document.getElementById('share-card').open");
    let link = browser.value("document.getElementById('link').value");
    let link = link.as_str().unwrap();
    println!("a game of tic-tac-toe is a link of {} letters", link.len());
    let modules = browser.value("document.getElementById('qr').width");
    assert!(modules.as_u64().unwrap() > 29, "{modules}");
    let rows =
        "document.getElementById('told').textContent.split('\\n').filter((l) => / row: /.test(l))";
    let here = browser.value(rows);

    // Another person, who is in the middle of another game.
    let (mut other, there) = open("link-there", &site, 9).unwrap();
    start_by_touch(&mut other, "15 sticks", false);
    play_one_move(&mut other);
    wait_for_turn(&mut other);
    let own = told(&mut other);
    other.open("about:blank");
    other.open(&format!("{link}&trace"));
    other.wait_for("globalThis.dojoPage && dojoPage.screenName() === 'review'");
    settle(&mut other);
    assert_eq!(other.value(rows), here);
    compare_frames(&trace(&mut other));
    // Looking through it and playing on keeps nothing.
    for code in ["ArrowLeft", "ArrowLeft", "KeyZ"] {
        other.key(code);
    }
    other.click("#leave");
    other.wait_for(&format!("!location.hash && {}", screen_says("Row 1: ")));
    let rows_of = |told: &str| -> Vec<String> {
        let rows = told.lines().filter(|line| line.starts_with("Row "));
        rows.map(String::from).collect()
    };
    assert_eq!(rows_of(&told(&mut other)), rows_of(&own));

    // The same from a photo of the code, askew and in poor light.
    let photo = browser.value(
        "(() => { const code = document.getElementById('qr'), photo = document.createElement('canvas');
            photo.width = photo.height = 700;
            const pen = photo.getContext('2d');
            pen.fillStyle = '#9a9588';
            pen.fillRect(0, 0, 700, 700);
            pen.translate(350, 350);
            pen.rotate(0.15);
            pen.imageSmoothingEnabled = false;
            pen.globalAlpha = 0.85;
            pen.drawImage(code, -230, -230, 460, 460);
            return photo.toDataURL('image/png').split(',')[1]; })()",
    );
    let (good, bad) = (there.join("photo.png"), there.join("other.png"));
    fs::write(&good, from_base64(photo.as_str().unwrap())).unwrap();
    fs::write(&bad, "no picture").unwrap();
    other.choose_file("#game-file", &bad);
    other.wait_for(&message_says("other.png: this picture cannot be read"));
    let other_picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/page/icon.png");
    other.choose_file("#game-file", &other_picture);
    other.wait_for(&message_says("no QR code of a game was found"));
    other.choose_file("#game-file", &good);
    other.wait_for("dojoPage.screenName() === 'review'");
    settle(&mut other);
    assert_eq!(other.value(rows), here);

    // A link that was cut says so.
    other.open("about:blank");
    other.open(&link[..link.len() - 3]);
    other.wait_for(
        "document.getElementById('message')?.textContent.includes('no game that can be read')",
    );
    has_no_fault(&browser, &site);
}

fn play_one_move(browser: &mut Chromium) {
    wait_for_turn(browser);
    let at = touchables(browser)[0].0;
    tap(browser, at, false);
    browser.wait_for(&format!(
        "{} && dojoPage.touchables().includes('Place')",
        screen_says("Last move")
    ));
    settle(browser);
}

/// A phone gives the link to its other apps.
#[test]
fn a_link_is_sent_where_the_browser_can_send() {
    let site = Site::start();
    let Some((mut browser, _)) = open("send", &site, 8) else {
        return;
    };
    start_by_touch(&mut browser, "Tic-tac-toe", false);
    browser.value("delete Navigator.prototype.share; document.getElementById('share').click()");
    assert_eq!(
        browser.value("document.getElementById('send').hidden"),
        json!(true)
    );
    browser.value(
        "document.getElementById('share-card').close();
        navigator.share = async (what) => { globalThis.sent = what.url; };
        document.getElementById('share').click()",
    );
    browser.click("#send");
    let sent = browser.value("globalThis.sent");
    assert_eq!(sent, browser.value("document.getElementById('link').value"));
    assert!(sent.as_str().unwrap().contains("#g="), "{sent}");
    has_no_fault(&browser, &site);
}

/// Every model has a card with the crest that the handheld draws.
#[test]
fn brain_cards_bear_belts_and_crests() {
    let site = Site::start();
    let Some((mut browser, _)) = open("cards", &site, 8) else {
        return;
    };
    browser.value("document.getElementById('card').click()");
    browser.wait_for("document.getElementById('brain-card').open");
    let found = browser.value(
        "[...document.querySelectorAll('#brains article')].map((card) => {
            const crest = card.querySelector('canvas'), pen = crest.getContext('2d');
            const { data } = pen.getImageData(2, 2, 14, 14);
            const cell = (at) => (data[4 * at + 3] ? '#' : '.');
            return [card.className, card.querySelector('h3').textContent,
                Array.from({ length: 196 }, (_, at) => cell(at)).join('')];
        })",
    );
    let bank = Bank::new(SHIPPED).unwrap();
    let expected = bank.entries().map(|entry| {
        let class = entry.meta.belt.map(|belt| format!("belt-{}", belt.name()));
        let cells = crest(entry.crc)
            .into_iter()
            .flat_map(|row| (0..14).map(move |bit| if row >> bit & 1 == 1 { '#' } else { '.' }));
        json!([
            class.unwrap_or_default(),
            entry.meta.name(),
            cells.collect::<String>()
        ])
    });
    assert_eq!(found, Value::from_iter(expected));
    has_no_fault(&browser, &site);
}

#[test]
fn records_and_sgf_files_open_in_review_or_are_refused_with_the_reason() {
    let site = Site::start();
    let Some((mut browser, folder)) = open("game-files", &site, 1) else {
        return;
    };
    for (name, text, answer) in [
        ("a.txt", "game sticks\n3:7 2:5 1:2 1:1\n", "4/4"),
        ("a.sgf", "(;SZ[9]KM[5.5];B[ee];W[cc];B[gc])", "3/3"),
    ] {
        let file = folder.join(name);
        fs::write(&file, text).unwrap();
        browser.choose_file("#game-file", &file);
        browser.wait_for(&screen_says(answer));
        assert_eq!(screen_name(&mut browser), "review");
    }
    let file = folder.join("bad.sgf");
    fs::write(&file, "(;SZ[19];B[aa])").unwrap();
    browser.choose_file("#game-file", &file);
    browser.wait_for("document.getElementById('message').textContent.includes('a board of 19')");
    // Mended, it is chosen again under its old name.
    fs::write(&file, "(;SZ[5];B[aa])").unwrap();
    browser.choose_file("#game-file", &file);
    browser.wait_for(&screen_says("1/1"));
    // The same by dropping them: the name tells what a file is.
    for (name, text, words) in [
        ("b.sgf", "(;SZ[7];B[dd];W[cc])", screen_says("2/2")),
        ("b.save", "nonsense", message_says("b.save is refused")),
        ("b.bank", "nonsense", message_says("b.bank is refused")),
    ] {
        browser.value(&format!(
            "(() => {{ const all = new DataTransfer(); all.items.add(new File(['{text}'], '{name}'));
                dispatchEvent(new DragEvent('drop', {{ dataTransfer: all }})); }})()"
        ));
        browser.wait_for(&words);
    }
    compare_frames(&trace(&mut browser));
    has_no_fault(&browser, &site);
}

fn message_says(words: &str) -> String {
    format!("document.getElementById('message').textContent.includes('{words}')")
}

#[test]
fn it_sleeps_visibly_and_a_touch_wakes_it() {
    let site = Site::start();
    let Some((mut browser, _)) = open("sleep", &site, 1) else {
        return;
    };
    let clock = "{ const real = performance.now.bind(performance); let more = 0;
        performance.now = () => real() + more; globalThis.skipTime = (ms) => { more += ms; }; }";
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": clock}),
    );
    browser.call("Page.reload", json!({}));
    browser.wait_for("globalThis.dojoPage && globalThis.skipTime");
    start_by_touch(&mut browser, "Tic-tac-toe", false);
    let asleep = "!document.getElementById('asleep').hidden";
    browser.value("skipTime(4 * 60000)");
    settle(&mut browser);
    assert_eq!(browser.value(asleep), json!(false), "dim, not asleep");
    browser.value("skipTime(2 * 60000)");
    browser.wait_for(asleep);
    let corner = touchables(&mut browser)[0].0;
    tap(&mut browser, corner, false);
    browser.wait_for(&format!("!({asleep})"));
    assert!(
        !told(&mut browser).contains("Last move"),
        "the first touch only wakes it"
    );
    compare_frames(&trace(&mut browser));
    has_no_fault(&browser, &site);
}

/// Over plain http from the network the page plays, and says what is missing.
#[test]
fn it_plays_in_the_local_network_and_says_what_is_missing_there() {
    let site = Site::start_with(&["--lan"]);
    if site.address.contains("//127.") {
        eprintln!("\nSKIPPED: this machine has no network, --lan is NOT tested in a browser\n");
        return;
    }
    let Some((mut browser, _)) = open("lan", &site, 1) else {
        return;
    };
    assert_eq!(browser.value("isSecureContext"), json!(false));
    assert_eq!(
        browser.value("document.getElementById('insecure').hidden"),
        json!(false)
    );
    start_by_touch(&mut browser, "15 sticks", false);
    play_by_touch(&mut browser, "15 sticks", false);
    browser.click("#share");
    browser.wait_for("document.getElementById('share-card').open");
    has_no_fault(&browser, &site);
}

#[test]
fn a_finger_that_moves_over_a_list_scrolls_it() {
    let site = Site::start();
    let Some((mut browser, _)) = open("scroll", &site, 1) else {
        return;
    };
    window(&mut browser, WINDOWS[0]);
    tap(&mut browser, [120, 120], true);
    tap_row(&mut browser, "All games", true);
    browser.wait_for("dojoPage.screenName() === 'games'");
    let drag = |browser: &mut Chromium, kind: &str, y: i64| {
        let at = json!([{"x": 195, "y": y}]);
        let points = if kind == "touchEnd" { json!([]) } else { at };
        browser.call(
            "Input.dispatchTouchEvent",
            json!({"type": kind, "touchPoints": points}),
        );
    };
    drag(&mut browser, "touchStart", 400);
    for y in (280..=380).rev().step_by(20) {
        drag(&mut browser, "touchMove", y);
    }
    drag(&mut browser, "touchEnd", 280);
    browser.wait_for("!document.getElementById('told').textContent.includes('> 15 sticks')");
    assert_eq!(
        screen_name(&mut browser),
        "games",
        "scrolling chooses nothing"
    );
    compare_frames(&trace(&mut browser));
    has_no_fault(&browser, &site);
}

/// Where axe-core is kept between runs: it is fetched, never committed.
const AXE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/axe-core");
/// Another version may find other things: that is no reason for a test to fail on its own.
const AXE_VERSION: &str = "axe-core@4.14.0";

/// The text of axe-core; `None` with a loud word where it cannot be had. `cargo xtask test` says so
/// in its last lines.
fn axe() -> Option<String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock();
    let file = Path::new(AXE)
        .join(AXE_VERSION)
        .join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        let fetched = Program::new("npm")
            .args([
                "install",
                "--no-save",
                "--silent",
                "--no-audit",
                "--no-fund",
            ])
            .args(["--fetch-retries=1", "--fetch-timeout=30000", AXE_VERSION])
            .arg("--prefix")
            .arg(Path::new(AXE).join(AXE_VERSION))
            .status();
        if !fetched.is_ok_and(|status| status.success()) {
            eprintln!(
                "\nSKIPPED: npm or its registry is missing, the page is NOT checked by axe\n"
            );
            return None;
        }
    }
    Some(fs::read_to_string(file).expect("what npm has installed"))
}

/// Violations that axe finds in the page as it is now.
fn violations(browser: &mut Chromium) -> Vec<String> {
    let found = browser.value(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + ' ' + n.failureSummary).join('; ')}`))",
    );
    let all = found.as_array().cloned().unwrap_or_default();
    all.iter().map(Value::to_string).collect()
}

/// A browser in a window, with axe in the page.
fn with_axe(script: &str, site: &Site, size: (u32, u32), scheme: &str) -> Option<Chromium> {
    let (mut browser, _) = open(&format!("axe-{}-{scheme}", size.0), site, 5)?;
    window(&mut browser, size);
    browser.call(
        "Emulation.setEmulatedMedia",
        json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
    );
    browser.value(&format!("{script}; 0"));
    Some(browser)
}

#[test]
fn axe_finds_nothing_on_any_state_of_the_page() {
    let Some(script) = axe() else { return };
    let site = Site::start();
    for (size, scheme) in [
        (WINDOWS[0], "dark"),
        (WINDOWS[1], "light"),
        (WINDOWS[2], "light"),
        (WINDOWS[3], "dark"),
    ] {
        let Some(mut browser) = with_axe(&script, &site, size, scheme) else {
            return;
        };
        let touch = size.0 < 1000;
        let mut states = 0;
        let mut check = |browser: &mut Chromium, state: &str| {
            settle(browser);
            let found = violations(browser);
            assert!(found.is_empty(), "{size:?} {scheme} {state}: {found:#?}");
            states += 1;
        };
        check(&mut browser, "title");
        start_by_touch(&mut browser, "Tic-tac-toe", touch);
        check(&mut browser, "board");
        play_by_touch(&mut browser, "Tic-tac-toe", touch);
        check(&mut browser, "result");
        for (button, card) in [
            ("more", "more-card"),
            ("share", "share-card"),
            ("card", "brain-card"),
        ] {
            browser.value(&format!("document.getElementById('{button}').click()"));
            browser.wait_for(&format!("document.getElementById('{card}').open"));
            check(&mut browser, card);
            browser.value(&format!("document.getElementById('{card}').close()"));
        }
        for part in ["asleep", "visit", "insecure", "install"] {
            browser.value(&format!("document.getElementById('{part}').hidden = false"));
        }
        check(&mut browser, "asleep and visiting");
        browser.value("document.getElementById('save-record').click(), document.getElementById('message').hidden = false");
        check(&mut browser, "message");
        println!("{size:?} {scheme}: {states} states");
    }
}

/// Ways to the screens, from the title: buttons by their names, `hold` for B held, `turn` to wait
/// until a person can move; and the screen that is there in the end.
const SCREENS: [(&str, &str); 33] = [
    ("", "title"),
    ("a", "menu"),
    ("a up a", "exercise"),
    ("a up a a", "exercise"),
    ("a down a", "games"),
    ("a down a a", "setup"),
    ("a down a a up up a", "rules"),
    ("a down a a down down a", "belts"),
    ("a down a a down down a x", "card"),
    ("a down a a down down a down down down down x", "apprentice"),
    // An ancestor's card.
    ("a down a a down down a down down down down down x", "card"),
    ("a down down a", "learn"),
    ("a down down a a", "lesson"),
    ("a down down down a", "puzzles"),
    ("a down down down a a", "puzzle grid"),
    ("a down down down a a a", "exercise"),
    ("a down down down down a", "wall"),
    ("a down down down down a a", "game wall"),
    ("a down down down down a a a", "statistics"),
    ("a down down down down a x", "confirm"),
    ("a down down down down down a", "settings"),
    ("a down down down down down a up a", "device"),
    ("a down down down down down a up a down a", "battery"),
    ("a down down down down down a up a a", "self-test"),
    ("a down down down down down a up a a a", "button test"),
    ("a down down down down down a up a a down a", "pixel test"),
    ("a up up a", "about"),
    ("a a", "board"),
    ("a a hold", "pause"),
    ("a a a turn hold down down down a", "replace"),
    // Two games are running.
    (
        "a a a turn hold up a down down a down a a a hold up a a",
        "running",
    ),
    // Two people play iwoki with hidden hands.
    (
        "a down a down down down a down down left left up up a",
        "handover",
    ),
    // Two people play Go and pass.
    (
        "a down a down down down down a down down left left up up a PASS PASS",
        "scoring",
    ),
];

/// Presses keys by names of buttons.
fn press_all(browser: &mut Chromium, keys: &str) {
    for word in keys.split_whitespace() {
        let code = match word {
            "up" => "ArrowUp",
            "down" => "ArrowDown",
            "left" => "ArrowLeft",
            "right" => "ArrowRight",
            "a" => "KeyZ",
            "x" => "KeyA",
            "hold" => {
                browser.key("KeyP");
                browser.wait_for("dojoPage.screenName() === 'pause'");
                continue;
            }
            "turn" => {
                wait_for_turn(browser);
                continue;
            }
            "PASS" => {
                let spots = touchables(browser);
                let mut places = spots.iter().filter(|(_, name)| name.starts_with("Place"));
                tap(
                    browser,
                    places.next_back().expect("a button to pass").0,
                    false,
                );
                continue;
            }
            other => panic!("{other} is no key"),
        };
        browser.key(code);
    }
}

/// Every screen of the handheld, those after a game among them.
#[test]
fn axe_finds_nothing_on_any_screen() {
    let Some(script) = axe() else { return };
    let site = Site::start();
    let Some(mut browser) = with_axe(&script, &site, WINDOWS[3], "light") else {
        return;
    };
    let mut seen = BTreeSet::new();
    let mut check = |browser: &mut Chromium, screen: &str| {
        browser.wait_for(&format!("dojoPage.screenName() === '{screen}'"));
        settle(browser);
        let words = told(browser);
        assert!(!words.trim().is_empty(), "{screen} tells nothing");
        let found = violations(browser);
        assert!(found.is_empty(), "{screen}: {found:#?}");
        seen.insert(screen.to_owned());
    };
    let afresh = |browser: &mut Chromium| {
        browser.value("localStorage.clear()");
        browser.call("Page.reload", json!({}));
        browser.wait_for("globalThis.dojoPage && dojoPage.screenName() === 'title'");
        browser.value(&format!("{script}; 0"));
    };
    for (keys, screen) in SCREENS {
        afresh(&mut browser);
        press_all(&mut browser, keys);
        check(&mut browser, screen);
    }
    // The count of the game of Go, and a look back at it.
    press_all(&mut browser, "a");
    check(&mut browser, "result");
    rest(&mut browser);
    press_all(&mut browser, "right right a");
    check(&mut browser, "review");
    // A belt is earned.
    afresh(&mut browser);
    win_belt(&mut browser);
    check(&mut browser, "ceremony");
    println!("{} screens: {seen:?}", seen.len());
    has_no_fault(&browser, &site);
}

/// Waits until the result takes presses: for half a second after the last move nothing is chosen.
fn rest(browser: &mut Chromium) {
    browser.wait_for("dojoPage.screenName() === 'result'");
    browser.wait_for("(dojoPage.rested ??= performance.now()) + 1000 < performance.now()");
    browser.value("delete dojoPage.rested");
}

/// Beats white at sticks until its belt is tied.
fn win_belt(browser: &mut Chromium) {
    press_all(browser, "a down a a down down left up up a");
    for _ in 0..12 {
        while screen_name(browser) == "board" {
            wait_for_turn(browser);
            settle(browser);
            if screen_name(browser) == "board" {
                tap_best_sticks(browser);
            }
        }
        rest(browser);
        // The first choice plays again, and after a belt was earned leads to it.
        browser.key("KeyZ");
        browser.wait_for("dojoPage.screenName() !== 'result'");
        if screen_name(browser) == "ceremony" {
            return;
        }
    }
    panic!("white was not beaten twice");
}

/// Takes the sticks that leave the other to take the last one, or any where that cannot be.
fn tap_best_sticks(browser: &mut Chromium) {
    let spots = touchables(browser);
    let takes: Vec<([i64; 2], Take)> = spots
        .into_iter()
        .filter_map(|(at, name)| {
            let index = name.strip_prefix("Place(")?.strip_suffix(')')?;
            Some((at, Take::from_index(index.parse().ok()?)?))
        })
        .collect();
    let mut rows = [0; 3];
    for (_, take) in &takes {
        let row = &mut rows[usize::from(take.row())];
        *row = take.count().max(*row);
    }
    let wins = |take: &Take| {
        let mut left = rows;
        left[usize::from(take.row())] -= take.count();
        match left.iter().any(|&sticks| sticks > 1) {
            true => left.iter().fold(0, |sum, sticks| sum ^ sticks) == 0,
            false => left.iter().sum::<u8>() % 2 == 1,
        }
    };
    let best = takes.iter().find(|(_, take)| wins(take));
    let (at, _) = best.or(takes.first()).expect("a stick is there");
    tap(browser, *at, false);
    settle(browser);
}
