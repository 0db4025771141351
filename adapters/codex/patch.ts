export {type PatchFacts, patchFacts} from '../shared/apply-patch.js';
