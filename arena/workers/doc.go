// Package workers plays the matches of a tournament on other machines, over NATS JetStream.
//
// A [Runner] has the schedule and the database. It is the [arena.Away] of a tournament. A [Worker] on another machine
// plays. They meet at a NATS server, which [Listen] can run inside the runner's process. No other package knows NATS.
//
// # What travels
//
//   - A [Plan] is what a worker needs to know of a tournament. The hash of its JSON names it.
//   - A [Job] is one pair of matches, so both bots of a match have the same machine.
//   - An [Answer] is the result of a job. Usually it has the records of its matches.
//   - A bundle is an archive with the files of one bot. The hash of its content names it.
//
// Plans, jobs and answers are JSON with a version.
//
// # What the server keeps
//
//   - The stream SEMBRA_JOBS is a work queue, with the subject sembra.job.LANE.ID for each job. Workers take jobs through one
//     durable consumer for each lane. A lane has all jobs that need the same programs on the worker. A worker takes only
//     from the lanes that it can play. It confirms a job when the answer is stored at the server; until then it sends
//     signs of life. Without them the server delivers the job again.
//   - The stream SEMBRA_ANSWERS is a work queue for the runner, which confirms an answer when its records are on the disk.
//   - The bucket SEMBRA_PLAN has the hash of the current plan. It is deleted when the run ends.
//   - The bucket SEMBRA_PRESENCE has an entry for the runner and one for each worker, which vanish without signs of life.
//   - The object store SEMBRA_FILES has the plan and the bundles.
//
// Both streams hold at most one message of each subject and refuse more. So a job is queued once, even if a runner that
// was killed and started again sends it again. A runner plays one tournament at a server at a time.
//
// # Accidents
//
// The runner's memory has nothing that cannot be made again: the matches left are those without a record in the
// database. Whatever is played twice is stored once, because the database has one record for each match.
//
//   - A worker dies, hangs or is cut off: the server delivers its job to another one. A job that ended like this three
//     times is set aside.
//   - A worker is stopped by a signal: it answers that it gives the job back.
//   - A machine is short of something, so that it cannot play: it answers so, and another one tries.
//   - The server dies: runner and workers connect again when it is back. A job that it has lost is sent again. They
//     repeat each request that failed meanwhile.
//   - The runner dies: the workers go on. Their answers wait for it.
//
// # Trust
//
// A runner referees every record again and drops those that are wrong. No replay can show times, processor times and
// that a bot was at fault, so the runner accepts these only within bounds. A worker unpacks bundles so that no path leaves their
// folder, and starts bots in its own jail. Whatever one side says has bounds on the other side: see [Plan], [Presence]
// and the constants beside them. WORKERS.md says what this does not protect from.
package workers
