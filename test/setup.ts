import fc from 'fast-check';

/**
 * Property tests draw the same values in every run, so that a red run means a change of ours; `FUZZ_SEED=$RANDOM npm test` looks
 * for what nobody has seen yet.
 */
fc.configureGlobal({seed: Number(process.env['FUZZ_SEED'] ?? 20_261_130)});
