import {loadHighlighter} from '../../source/transcript/code.js';
import {loadMarkdown} from '../../source/transcript/lexer.js';

// The app loads these behind its first frame; a test that looks at transcripts imports this file.
await Promise.all([loadHighlighter(), loadMarkdown()]);
