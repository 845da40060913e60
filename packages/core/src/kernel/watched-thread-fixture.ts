// A thread that sends a message beside its answers, as Node does with `node --watch` when the thread loads a file.
import { parentPort } from 'node:worker_threads'
import { answerJobs } from './answer-jobs.ts'

parentPort?.on('message', () => parentPort?.postMessage({ 'watch:import': ['file:///loaded.js'] }))
answerJobs((job: string) => {
  if (job === 'bug') throw new Error('a bug')
  return { text: job.toUpperCase() }
})
