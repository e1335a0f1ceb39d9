"""The pages in a headless Chromium: they filter, their links lead somewhere, nothing overflows, and they are
accessible.
"""

import importlib.util
import itertools
import shutil
from pathlib import Path

import pytest
from support import by_day

from dualgap.proofs_checks.report import templating

RULES = (Path(__file__).parent / "accessibility.js").read_text(encoding="utf-8")
FLAGS = tuple(
    (
        "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync --hide-scrollbars"
    ).split()
)
PAGES = ("report", "solve", "sweep", "conform")
WIDTHS = (400, 800, 1400)
pytestmark = pytest.mark.needs(*templating.MAKERS)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Chromium, driven by selenium; skipped with its reason where one of them is absent."""
    if importlib.util.find_spec("selenium") is None:
        pytest.skip("selenium, which drives the browser, is not installed")
    programs = [
        next((found for name in names if (found := shutil.which(name))), None)
        for names in (("chromium", "chromium-browser", "google-chrome"), ("chromedriver",))
    ]
    if None in programs:
        pytest.skip("there is no chromium or no chromedriver on the PATH")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(programs[1]))
    yield driver
    driver.quit()


@pytest.fixture
def show(browser, written_pages):
    """show(page, width, dark) loads a page again, with everything that is folded open where ``unfolded``."""

    def load(page="report", width=1400, dark=False, unfolded=False, script=True):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": "", "features": [scheme, {"name": "prefers-reduced-motion", "value": "reduce"}]},
        )
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
        browser.get("about:blank")
        browser.get(written_pages[page].as_uri())
        if unfolded:
            browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        return browser

    yield load
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def shown_claims(browser):
    return browser.execute_script(
        "return Array.from(document.querySelectorAll('details.claim:not([hidden]) .id'), (one) => one.textContent)"
    )


def test_filter_finds_by_text_and_by_choice(show):
    browser = show()
    everything = shown_claims(browser)
    search = browser.find_element("name", "text")
    search.send_keys("Figure 2 line")
    assert shown_claims(browser) == ["pgs.figure-2.line-6"]
    assert browser.find_element("css selector", "#filter output").text == f"1 of {len(everything)} claims"
    browser.find_element("css selector", "#filter button").click()
    assert shown_claims(browser) == everything
    browser.execute_script(
        "const one = document.forms.filter.elements.mark; one.value = 'refuted'; one.dispatchEvent(new Event('input',"
        " {bubbles: true}))"
    )
    assert shown_claims(browser) == ["adaspdc.theorem-1.every-reading", "pgs.figure-2.line-6"]
    search.send_keys("nothing has this text")
    assert shown_claims(browser) == []
    assert browser.execute_script("return document.querySelectorAll('section.group:not([hidden])').length") == 0


def test_a_square_opens_its_claim_even_where_the_filter_hid_it(show):
    browser = show()
    browser.find_element("name", "text").send_keys("adaspdc")
    script = (
        "const claim = document.getElementById('aspdc.lemma-2').closest('details'); return [claim.open, claim.hidden,"
        " document.activeElement === claim.querySelector('summary')]"
    )
    followed = (
        f"addEventListener('hashchange', () => done((() => {{ {script} }})()), {{once: true}});"
        " document.querySelector('a.sq[href=\"#aspdc.lemma-2\"]').click()"
    )
    assert browser.execute_script(f"return new Promise((done) => {{ {followed} }})") == [True, False, True]


def test_every_link_leads_somewhere(show):
    for page in PAGES:
        lost = show(page).execute_script(
            "return Array.from(document.querySelectorAll('a[href]'), (a) => a.getAttribute('href')).filter((to) =>"
            " to[0] !== '#' || !document.getElementById(decodeURIComponent(to.slice(1))))"
        )
        assert lost == [], page


def test_without_a_script_everything_is_there_and_a_link_unfolds_its_claim(show, written_pages):
    browser = show(script=False)
    assert not browser.find_element("id", "filter").is_displayed()
    browser.get(written_pages["report"].as_uri() + "#aspdc.lemma-2")
    assert browser.find_element("id", "aspdc.lemma-2").is_displayed()


def test_keyboard_reaches_the_search_and_opens_a_claim(show):
    from selenium.webdriver.common.keys import Keys

    browser = show()
    browser.find_element("tag name", "body").send_keys("/")
    assert browser.switch_to.active_element.get_attribute("name") == "text"
    browser.find_element("css selector", "details.claim summary").send_keys(Keys.ENTER)
    assert browser.find_element("css selector", "details.claim").get_attribute("open") is not None


@pytest.mark.parametrize("width", by_day(WIDTHS, WIDTHS[0], WIDTHS[-1]))
def test_nothing_overflows_whatever_is_open(show, width):
    for page in PAGES:
        browser = show(page, width, unfolded=True)
        over = browser.execute_script(
            "return Array.from(document.querySelectorAll('body *')).filter((one) => one.getBoundingClientRect().right >"
            " innerWidth + 1 && !one.closest('.scroll, .vh, .skip, math, pre, .statement, .if') &&"
            " one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))"
        )
        assert over == [], page
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, page


LOOKS = list(itertools.product(WIDTHS, [False, True]))  # width, dark


@pytest.mark.parametrize("look", by_day(LOOKS, (400, True), (1400, False)), ids=str)
def test_rules_of_accessibility_are_kept(show, look):
    for page in PAGES:
        assert show(page, *look, unfolded=True).execute_script(RULES) == [], page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("document.querySelector('p').style.color = '#999'", "contrast"),
        (
            (
                "document.querySelector('main').append(Object.assign(document.createElement('h4'), {textContent: 'x'}),"
                " Object.assign(document.createElement('h6'), {textContent: 'x'}))"
            ),
            "skips a level",
        ),
        ("document.querySelector('a[href] .vh').remove()", "without a name"),
        ("document.querySelector('h2').id = 'content'", "share an id"),
        ("document.querySelector('footer').remove()", "exactly one footer"),
        (
            (
                "document.querySelector('th[scope]').closest('table').querySelectorAll('th').forEach((th) =>"
                " th.removeAttribute('scope'))"
            ),
            "without headers",
        ),
        ("document.querySelectorAll('.sq').forEach((one) => { one.style.borderColor = 'var(--paper)' })", "mark below"),
    ],
)
def test_each_rule_notices_what_breaks_it(show, change, said):
    browser = show()
    browser.execute_script(change)
    assert any(said in words for words in browser.execute_script(RULES))


def test_nothing_is_said_on_the_console(show):
    for page in PAGES:
        show(page).get_log("browser")
        assert [entry for entry in show(page).get_log("browser") if entry["level"] != "INFO"] == [], page


TAB_STOPS = """
const filter = document.getElementById('filter');
const stops = document.querySelectorAll('a[href], button, input, select, summary, [tabindex]');
return Array.from(stops).filter((one) => one.tabIndex >= 0 && one.checkVisibility()
  && one.compareDocumentPosition(filter) & Node.DOCUMENT_POSITION_FOLLOWING).length
"""


def test_a_row_of_squares_is_one_tab_stop_and_arrow_keys_move_in_it(show):
    from selenium.webdriver.common.keys import Keys

    browser = show()
    squares, rows = (len(browser.find_elements("css selector", f"ol.squares{part}")) for part in (" a", ""))
    with_script = browser.execute_script(TAB_STOPS)
    links = [row.find_elements("css selector", "a") for row in browser.find_elements("css selector", "ol.squares")]
    first, second = next(row for row in links if len(row) > 1)[:2]
    first.send_keys(Keys.ARROW_RIGHT)
    assert browser.switch_to.active_element == second
    assert browser.execute_script(TAB_STOPS) == with_script
    browser.execute_script("document.querySelectorAll('ol.squares a').forEach((one) => { one.tabIndex = 0; })")
    assert browser.execute_script(TAB_STOPS) == with_script + squares - rows, "the control"


def test_what_does_not_overflow_is_no_tab_stop(show):
    script = (
        "return Array.from(document.querySelectorAll('.stories [tabindex]'), (one) => [one.tabIndex, one.scrollWidth >"
        " one.clientWidth])"
    )
    for width in (400, 1400):
        found = show(width=width).execute_script(script)
        assert found and all((stop == 0) == overflows for stop, overflows in found)


def test_the_tightness_of_all_papers_fits_a_phone(show):
    browser = show(width=400)
    hidden = "const box = document.querySelector('.overview').parentElement; return box.scrollWidth - box.clientWidth"
    assert browser.execute_script(hidden) <= 1
    browser.execute_script("document.querySelector('.overview .scale').style.width = '34rem'")
    assert browser.execute_script(hidden) > 1, "the control"


def test_on_paper_a_short_summary_comes_before_the_refutations_and_nothing_else_follows(show):
    browser = show(width=680)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    assert not any(browser.find_element("id", name).is_displayed() for name in ("filter", "claims", "mistakes"))
    assert browser.find_element("css selector", ".refutation .sides").is_displayed()
    top = browser.execute_script("return document.querySelector('.stories').getBoundingClientRect().top + scrollY")
    assert 0 < top < 4 * 1000, "four pages of A4 without margins, in pixels"
