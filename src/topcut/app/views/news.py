"""Keep the news of each live event, and find the latest."""

from weakref import WeakKeyDictionary

from topcut.app.live_events import LiveEvent
from topcut.event.describe.news import News, NewsItem

_news: WeakKeyDictionary[LiveEvent, News] = WeakKeyDictionary()


def find_latest_news(live: LiveEvent, count: int) -> list[NewsItem]:
    """Return what changed last in an event, the newest first."""
    return _get_news(live).last(live.session.log, count)


def find_news_after(live: LiveEvent, position: int) -> list[NewsItem]:
    """Return what changed in an event after a position, the oldest first."""
    return _get_news(live).after(live.session.log, position)


def _get_news(live: LiveEvent) -> News:
    if live not in _news:
        _news[live] = News(live.session.log)
    return _news[live]
