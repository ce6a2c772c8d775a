"""Write to a SQLite file in one thread, which puts all that waits into one transaction.

Durable writing costs a wait for the disk for each transaction, however much is in it. While the thread
waits for the disk the next jobs gather, so that a hundred clients wait no longer than one.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import apsw

from topcut.store.interface import Overtaken, Repeated, StoreError
from topcut.store.sqlite.file import SqliteFile

T = TypeVar("T")
_MOST = 1_000
"""Jobs in one transaction, at most."""


@dataclass(frozen=True)
class _Job:
    """Something to do with the connection, and the future that waits for it.

    `alone`: it must run outside a transaction. All other work must refuse before it writes anything.
    """

    work: Callable[[apsw.Connection], Any]
    result: asyncio.Future[Any]
    alone: bool


class Writer:
    """The one connection of a store that writes, and its thread."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._connection = file.connect()
        self._closed = False
        # A daemon, or a program that forgot to close its store would never end.
        self._thread = Thread(target=self._run, name="topcut store", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[apsw.Connection], T], *, alone: bool = False) -> T:
        """Return what the work returns, once it is durable."""
        if self._closed:
            raise StoreError(self._file.path, "is closed already", "open it again")
        if self._file.read_only:  # before an older file lacks a table
            raise self._file.explain(apsw.ReadOnlyError())
        result: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(work, result, alone))
        return await result

    async def close(self) -> None:
        """End the thread after everything that was asked for."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            waiting = self._get_waiting()
            jobs = [job for job in waiting if job is not None]
            going_on = len(jobs) == len(waiting)
            if shared := [job for job in jobs if not job.alone]:
                self._hand_over(shared, self._do_together(shared))
            for job in jobs:
                if job.alone:
                    try:
                        result = self._do(job)
                    except Exception as error:
                        result = self._explain(error)
                    self._hand_over([job], [result])
        self._connection.close()

    def _get_waiting(self) -> list[_Job | None]:
        """Wait for a job and return all that wait by then; None is the end."""
        waiting = [self._jobs.get()]
        with suppress(Empty):
            while len(waiting) < _MOST:
                waiting.append(self._jobs.get_nowait())
        return waiting

    def _hand_over(self, jobs: list[_Job], results: list[object]) -> None:
        """Give each job its result, or the error in the place of it."""
        with suppress(RuntimeError):  # the loop has gone, and with it everybody who asked
            self._loop.call_soon_threadsafe(_set_results, jobs, results)

    def _do_together(self, jobs: list[_Job]) -> list[object]:
        """Return the results of jobs that share a transaction; if that fails, each gets one of its own."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            results = [self._do(job) for job in jobs]
            self._connection.execute("COMMIT")
            return results
        except Exception as error:
            if self._connection.in_transaction:
                with suppress(apsw.Error):  # then the next transaction cannot begin, and comes here again
                    self._connection.execute("ROLLBACK")
            if len(jobs) == 1 or isinstance(error, apsw.BusyError):
                return [self._explain(error)] * len(jobs)
        return [result for job in jobs for result in self._do_together([job])]

    def _do(self, job: _Job) -> object:
        try:
            return job.work(self._connection)
        except (Overtaken, Repeated, StoreError) as refusal:
            return refusal

    def _explain(self, error: Exception) -> Exception:
        return self._file.explain(error) if isinstance(error, apsw.Error) else error


def _set_results(jobs: list[_Job], results: list[object]) -> None:
    for job, result in zip(jobs, results, strict=True):
        if job.result.done():  # nobody waits for it any more
            continue
        if isinstance(result, Exception):
            job.result.set_exception(result)
        else:
            job.result.set_result(result)
