// The headlines of 100,000 random facts in the real page.
import '../../e2e/now/headline.test.ts';
