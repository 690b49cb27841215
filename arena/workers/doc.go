// Package workers plays the matches of a tournament on other machines, over NATS JetStream.
//
// A [Runner] has the schedule and the database. It is the [arena.Remote] of a tournament. [Work] plays on another
// machine. They meet at a NATS server that the user starts. No other package knows NATS. However often a match is
// played, it has one record, and the runner referees each record again before it keeps it.
//
// # What is copied
//
//   - A [Plan] is what a worker needs to know of a tournament. The hash of its JSON names it.
//   - A [Job] is one pair of matches, so both bots of a match have the same machine.
//   - An [Answer] is the result of a job: the records of its matches, or why there are none.
//   - A bundle is an archive with the files of one bot. The hash of its content names it.
//   - A [Heartbeat] is a heartbeat. The runner and the workers publish one each second, and nothing keeps it. The
//     runner's sign names the plan, so that workers prepare for it. A worker's sign says what it can play concurrently.
//
// All of them are plain values in JSON. Both sides are the same version of the program.
//
// # What the server keeps
//
//   - The stream SEMBRA_JOBS is a work queue, with the subject sembra.job.ID for each job. All workers take jobs
//     through one durable consumer. They confirm a job when its answer is stored at the server; until then they report
//     that they work on it. Without that the server delivers the job to another worker.
//   - The stream SEMBRA_ANSWERS is a work queue for the runner, which confirms an answer when its records are on the
//     disk.
//   - The object store SEMBRA_FILES has the plan and the bundles.
//
// Both streams hold at most one message of each subject and refuse more, so a job is queued once, however often it is
// sent. All of this is made for one plan: a runner with another one removes it and makes it again.
//
// # Failures
//
// The runner's memory has nothing that cannot be made again: the matches left are those without a record in the
// database. Whatever is played twice is stored once, because the database has one record for each match.
//
//   - A worker dies, hangs or is cut off: the server delivers its job to another one. A job that was delivered too
//     often is set aside.
//   - The server dies: the library connects again when it is back, and the runner prepares it again, since it may have
//     lost what it had confirmed. A job that it has lost is sent again.
//   - The server answers but stores nothing: the run ends. See [Runner.guard].
//   - The runner dies: the workers continue. Their answers wait for the next runner of the same plan. Jobs that are
//     being played then, or when a server was started again, may be played twice.
//
// # Trust
//
// A runner referees every record again and drops those that are wrong. No replay can show times, CPU times and
// that a bot was at fault, so the runner accepts these only within bounds. A worker unpacks bundles so that no path
// leaves their folder, and starts bots in its own sandbox. Whatever one side says has bounds on the other side.
// WORKERS.md says what this does not protect from.
package workers
