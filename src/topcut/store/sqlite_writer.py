"""How is a SQLite file written to? By one thread, which puts all that waits into one transaction.

Durable writing costs a wait for the disk for each transaction, however much is in it. While the thread
waits for the disk the next requests gather, so that a hundred clients wait no longer than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import apsw

from topcut.store.model import Overtaken, Repeated, StoreError
from topcut.store.sqlite_file import SqliteFile

T = TypeVar("T")
_MOST = 1_000
"""Requests in one transaction."""


@dataclass(frozen=True)
class _Request:
    """Something to do with the connection, and whom to tell.

    `alone`: it wants to be outside a transaction. All other work must refuse before it writes anything.
    """

    work: Callable[[apsw.Connection], Any]
    answer: asyncio.Future[Any]
    alone: bool


@dataclass(frozen=True)
class _Refused:
    """In the place of a result."""

    error: Exception


class Writer:
    """The one connection of a store that writes, and its thread."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._connection = file.connect()
        self._closed = False
        # A daemon, or a program that forgot to close its store would never end.
        self._thread = Thread(target=self._run, name="topcut store", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[apsw.Connection], T], *, alone: bool = False) -> T:
        """What the work returns, once it is durable."""
        if self._closed:
            raise StoreError(self._file.path, "is closed already", "open it again")
        if self._file.read_only:  # before an older file lacks a table
            raise self._file.told(apsw.ReadOnlyError())
        answer: asyncio.Future[T] = self._loop.create_future()
        self._requests.put(_Request(work, answer, alone))
        return await answer

    async def close(self) -> None:
        """Ends after everything that was asked for."""
        if not self._closed:
            self._closed = True
            self._requests.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            waiting = self._waiting()
            batch = [request for request in waiting if request is not None]
            going_on = len(batch) == len(waiting)
            self._tell([request for request in batch if not request.alone], self._together)
            for request in batch:
                if request.alone:
                    self._tell([request], self._alone)
        self._connection.close()

    def _waiting(self) -> list[_Request | None]:
        waiting = [self._requests.get()]
        with suppress(Empty):
            while len(waiting) < _MOST:
                waiting.append(self._requests.get_nowait())
        return waiting

    def _tell(self, batch: list[_Request], done: Callable[[list[_Request]], list[object]]) -> None:
        if not batch:
            return
        answers = done(batch)
        with suppress(RuntimeError):  # the loop has gone, and with it everybody who asked
            self._loop.call_soon_threadsafe(_answer, batch, answers)

    def _together(self, batch: list[_Request]) -> list[object]:
        """The answers to requests that share a transaction; if that fails, each gets one of its own."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            answers = [self._answer(request) for request in batch]
            self._connection.execute("COMMIT")
            return answers
        except Exception as error:
            if self._connection.in_transaction:
                with suppress(apsw.Error):  # then the next transaction cannot begin, and comes here again
                    self._connection.execute("ROLLBACK")
            if len(batch) == 1 or isinstance(error, apsw.BusyError):
                return [self._refused(error)] * len(batch)
        return [answer for request in batch for answer in self._together([request])]

    def _alone(self, batch: list[_Request]) -> list[object]:
        (request,) = batch
        try:
            return [self._answer(request)]
        except Exception as error:
            return [self._refused(error)]

    def _answer(self, request: _Request) -> object:
        try:
            return request.work(self._connection)
        except (Overtaken, Repeated, StoreError) as refusal:
            return _Refused(refusal)

    def _refused(self, error: Exception) -> _Refused:
        return _Refused(self._file.told(error) if isinstance(error, apsw.Error) else error)


def _answer(batch: list[_Request], answers: list[object]) -> None:
    for request, answer in zip(batch, answers, strict=True):
        if request.answer.done():  # nobody waits for it any more
            continue
        if isinstance(answer, _Refused):
            request.answer.set_exception(answer.error)
        else:
            request.answer.set_result(answer)
